package dev.keelson.registry.write;

import dev.keelson.object.ObjectMeta;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.write.DeleteQuery.Propagation;
import dev.keelson.schema.GarbageCollectionPolicy;
import dev.keelson.schema.ResourceDefinition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which of the two finalizers of garbage collection a delete sets: by the client's policy, else by
 * the finalizers of the object, else by the default of the version (source: the strategies and the
 * generic store of kube-apiserver).
 */
public final class DeletionFinalizers {

  public static final String ORPHAN = "orphan";
  public static final String FOREGROUND = "foregroundDeletion";

  private DeletionFinalizers() {}

  /** Warns about the default policy of a type that orphans dependents. */
  static void warn(ResourceDefinition definition, DeleteQuery query, WriteOptions options) {
    String warning = definition.behaviour().deletionWarning();
    if (query.propagation() == null && !warning.isEmpty()) {
      options.warnings().accept(warning);
    }
  }

  /** The finalizers of an object after a delete request. */
  static List<String> finalizers(
      ResourceDefinition definition, ObjectMeta meta, @Nullable Propagation asked) {
    List<String> current = meta.finalizers();
    List<String> next = new ArrayList<>(current);
    next.removeAll(List.of(ORPHAN, FOREGROUND));
    Propagation policy = policy(definition, current, asked);
    if (policy == Propagation.ORPHAN) {
      next.add(ORPHAN);
    }
    if (policy == Propagation.FOREGROUND) {
      next.add(FOREGROUND);
    }
    // a different order is not a change
    return new HashSet<>(next).equals(new HashSet<>(current)) ? current : next;
  }

  private static Propagation policy(
      ResourceDefinition definition, List<String> finalizers, @Nullable Propagation asked) {
    GarbageCollectionPolicy byDefault = definition.behaviour().garbageCollection();
    if (byDefault == GarbageCollectionPolicy.UNSUPPORTED) {
      return Propagation.BACKGROUND;
    }
    if (asked != null) {
      return asked;
    }
    for (String finalizer : finalizers) {
      if (finalizer.equals(ORPHAN)) {
        return Propagation.ORPHAN;
      }
      if (finalizer.equals(FOREGROUND)) {
        return Propagation.FOREGROUND;
      }
    }
    return byDefault == GarbageCollectionPolicy.ORPHAN_DEPENDENTS
        ? Propagation.ORPHAN
        : Propagation.BACKGROUND;
  }
}
