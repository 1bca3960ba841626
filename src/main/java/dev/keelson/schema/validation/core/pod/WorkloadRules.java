package dev.keelson.schema.validation.core.pod;

import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import java.util.function.Consumer;

/**
 * The rules of a kind that makes pods from {@code spec.template} and names them after itself. It
 * warns about its name and its pod template (source: the WarningsOnCreate and WarningsOnUpdate of
 * kube-apiserver's strategies for workloads).
 */
public interface WorkloadRules extends KindRules {

  @Override
  default void warnOnCreate(Value object, Consumer<String> warnings) {
    PodWarnings.warnAboutName(object, PodWarnings.NAMES_OF_PODS, warnings);
    warnAboutPods(object, warnings);
  }

  /** Warns about what the pods are made from. */
  default void warnAboutPods(Value object, Consumer<String> warnings) {
    PodWarnings.warnAboutTemplate(object.get("spec", "template"), warnings);
  }

  /** Whether the update of {@code old} to {@code object} raises the generation. */
  default boolean raisesGeneration(Value object, Value old) {
    return !object.get("spec").sameAs(old.get("spec"));
  }

  @Override
  default void warnOnUpdate(Value object, Value old, Consumer<String> warnings) {
    if (raisesGeneration(object, old)) {
      warnAboutPods(object, warnings);
    }
  }
}
