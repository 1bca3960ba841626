package dev.keelson.registry.write;

import dev.keelson.object.ObjectMeta;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.write.DeleteQuery.Propagation;
import dev.keelson.schema.ResourceDefinition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which of the two finalizers of garbage collection a delete sets: what the client says, else what
 * the object already has, else what clients of the version expect (source: the strategies and the
 * generic store of kube-apiserver).
 */
public final class DependentsPolicy {

  public static final String ORPHAN = "orphan";
  public static final String FOREGROUND = "foregroundDeletion";

  /** Versions from before garbage collection; their clients removed dependents themselves. */
  private static final Set<String> ORPHANED_BY_DEFAULT =
      Set.of(
          "v1/replicationcontrollers",
          "extensions/v1beta1/daemonsets",
          "extensions/v1beta1/deployments",
          "extensions/v1beta1/replicasets",
          "apps/v1beta1/deployments",
          "apps/v1beta1/statefulsets",
          "apps/v1beta2/daemonsets",
          "apps/v1beta2/deployments",
          "apps/v1beta2/replicasets",
          "apps/v1beta2/statefulsets",
          "batch/v1/jobs",
          "batch/v1beta1/jobs",
          "batch/v1beta1/cronjobs");

  private static final String JOB_WARNING =
      "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background"
          + " to remove them or set propagationPolicy=Orphan to suppress this warning";

  private DependentsPolicy() {}

  /** Tells what a client may not expect of a delete that leaves the policy to the type. */
  static void warn(ResourceDefinition definition, DeleteQuery query, WriteOptions options) {
    if (query.propagation() == null
        && definition.gvr().resource().equals("jobs")
        && orphansByDefault(definition)) {
      options.warnings().accept(JOB_WARNING);
    }
  }

  /** The finalizers that an object has once its deletion is asked for. */
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
    // the same ones in another order are no change
    return new HashSet<>(next).equals(new HashSet<>(current)) ? current : next;
  }

  private static Propagation policy(
      ResourceDefinition definition, List<String> finalizers, @Nullable Propagation asked) {
    if (definition.gvr().resource().equals("events")) {
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
    return orphansByDefault(definition) ? Propagation.ORPHAN : Propagation.BACKGROUND;
  }

  private static boolean orphansByDefault(ResourceDefinition definition) {
    return ORPHANED_BY_DEFAULT.contains(
        definition.gvk().apiVersion() + "/" + definition.gvr().resource());
  }
}
