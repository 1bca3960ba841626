package dev.keelson.controller.workload;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.LabelSelector;
import dev.keelson.client.informer.Index;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What controllers read of a ReplicaSet.
 *
 * @param owner its controller, such as a Deployment; null if it has none
 * @param created the creationTimestamp
 * @param selector null if it is not valid
 * @param templateLabels the labels of new pods
 * @param template identifies the template of its pods, see {@link PodTemplate#digest}
 * @param status as stored
 */
public record ReplicaSetFacts(
    ObjectName name,
    String uid,
    String resourceVersion,
    @Nullable Owner owner,
    Instant created,
    long generation,
    boolean deleting,
    Map<String, String> labels,
    Map<String, String> annotations,
    int replicas,
    Duration minReady,
    @Nullable LabelSelector selector,
    Map<String, String> templateLabels,
    String template,
    MapNode status) {

  /** The API resource of ReplicaSets. */
  public static final GroupVersionResource RESOURCE =
      new GroupVersion("apps", "v1").resource("replicasets");

  public static final String KIND = "ReplicaSet";

  /** Finds the ReplicaSets of an owner by its uid; those without one by {@link #withoutOwner}. */
  public static final Index<ReplicaSetFacts> BY_OWNER =
      new Index<>(
          set -> List.of(set.owner == null ? withoutOwner(set.name.namespace()) : set.owner.uid()));

  /** What controllers keep of all ReplicaSets. */
  public static final InformerType<ReplicaSetFacts> TYPE =
      new InformerType<>(RESOURCE, ReplicaSetFacts::of, List.of(BY_OWNER));

  public ReplicaSetFacts {
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
    templateLabels = Map.copyOf(templateLabels);
  }

  /** The value in {@link #BY_OWNER} of the ReplicaSets of a namespace without a controller. */
  public static String withoutOwner(String namespace) {
    return "/" + namespace;
  }

  /** The facts of a ReplicaSet. */
  public static ReplicaSetFacts of(ApiObject object) {
    ObjectMeta meta = object.meta();
    MapNode spec = object.root().map("spec");
    return new ReplicaSetFacts(
        ObjectName.of(meta),
        meta.uid(),
        meta.resourceVersion(),
        Owner.of(meta),
        Times.instant(meta.creationTimestamp()),
        meta.generation(),
        meta.deleting(),
        meta.labels(),
        meta.annotations(),
        number(spec, "replicas", 1),
        Duration.ofSeconds(number(spec, "minReadySeconds", 0)),
        Selectors.of(spec.map("selector")).orElse(null),
        spec.map("template").map("metadata").map("labels").texts(),
        PodTemplate.digest(spec.map("template")),
        object.root().map("status"));
  }

  private static int number(MapNode node, String key, int absent) {
    return node.get(key) instanceof Node.Int number
        ? Math.clamp(number.value(), 0, Integer.MAX_VALUE)
        : absent;
  }

  /** A number of the status, such as {@code readyReplicas}; 0 if it is not set. */
  public int told(String key) {
    return number(status, key, 0);
  }

  /** Whether the status tells of the newest generation. */
  public boolean observed() {
    return status.get("observedGeneration") instanceof Node.Int seen && seen.value() >= generation;
  }

  /** The subject of Events, and the owner of pods. */
  public ObjectReference reference() {
    return ObjectReference.of(RESOURCE.apiVersion(), KIND, name.namespace(), name.name(), uid);
  }
}
