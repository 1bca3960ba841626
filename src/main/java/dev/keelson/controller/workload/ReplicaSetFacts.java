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
import dev.keelson.value.SharedInstances;
import dev.keelson.value.SharedLabels;
import dev.keelson.value.Uid;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What controllers read of a ReplicaSet, or of a ReplicationController, which differs from one in
 * its selector alone.
 *
 * @param variant which of the two
 * @param id the uid
 * @param owner its controller, such as a Deployment; null if it has none
 * @param created the creationTimestamp
 * @param selector null if it is not valid
 * @param templateLabels the labels of new pods
 * @param template identifies the template of its pods, see {@link PodTemplate#digest}
 * @param status as stored
 */
public record ReplicaSetFacts(
    Variant variant,
    ObjectName name,
    Uid id,
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

  private static final GroupVersionResource SETS =
      new GroupVersion("apps", "v1").resource("replicasets");

  private static final GroupVersionResource CONTROLLERS =
      GroupVersion.CORE_V1.resource("replicationcontrollers");

  /** The types that keep a number of pods alike. */
  public enum Variant {
    REPLICA_SET("ReplicaSet"),
    REPLICATION_CONTROLLER("ReplicationController");

    private final String kind;

    Variant(String kind) {
      this.kind = kind;
    }

    /** The API resource. */
    public GroupVersionResource resource() {
      return switch (this) {
        case REPLICA_SET -> SETS;
        case REPLICATION_CONTROLLER -> CONTROLLERS;
      };
    }

    /** The kind of its objects. */
    public String kind() {
      return kind;
    }

    /** Whether an object of this type is the controller of a pod. */
    public boolean owns(Owner owner) {
      return owner.kind().equals(kind) && owner.apiVersion().equals(resource().apiVersion());
    }
  }

  /** Most ReplicaSets have one of few. */
  private static final SharedInstances<MapNode> STATUSES = new SharedInstances<>();

  /** The API resource of ReplicaSets. */
  public static final GroupVersionResource RESOURCE = SETS;

  public static final String KIND = Variant.REPLICA_SET.kind();

  /** Finds the ReplicaSets of an owner by its uid; those without one by {@link #withoutOwner}. */
  public static final Index<ReplicaSetFacts> BY_OWNER =
      new Index<>(
          set -> List.of(set.owner == null ? withoutOwner(set.name.namespace()) : set.owner.uid()));

  /** What controllers keep of all ReplicaSets. */
  public static final InformerType<ReplicaSetFacts> TYPE =
      new InformerType<>(RESOURCE, ReplicaSetFacts::of, List.of(BY_OWNER));

  /** What controllers keep of all ReplicationControllers. */
  public static final InformerType<ReplicaSetFacts> REPLICATION_CONTROLLERS =
      new InformerType<>(
          Variant.REPLICATION_CONTROLLER.resource(),
          ReplicaSetFacts::ofReplicationController,
          List.of(BY_OWNER));

  public ReplicaSetFacts {
    labels = SharedLabels.of(labels);
    annotations = SharedLabels.of(annotations);
    status = STATUSES.of(status);
    templateLabels = SharedLabels.of(templateLabels);
  }

  /** The value in {@link #BY_OWNER} of the ReplicaSets of a namespace without a controller. */
  public static String withoutOwner(String namespace) {
    return "/" + namespace;
  }

  /** The facts of a ReplicaSet. */
  public static ReplicaSetFacts of(ApiObject object) {
    MapNode selector = object.root().map("spec").map("selector");
    return of(object, Variant.REPLICA_SET, selector);
  }

  /** The facts of a ReplicationController. */
  public static ReplicaSetFacts ofReplicationController(ApiObject object) {
    MapNode labels = object.root().map("spec").map("selector");
    return of(object, Variant.REPLICATION_CONTROLLER, MapNode.of("matchLabels", labels));
  }

  private static ReplicaSetFacts of(ApiObject object, Variant variant, MapNode selector) {
    ObjectMeta meta = object.meta();
    MapNode spec = object.root().map("spec");
    return new ReplicaSetFacts(
        variant,
        ObjectName.of(meta),
        Uid.of(meta.uid()),
        meta.resourceVersion(),
        Owner.of(meta),
        Times.instant(meta.creationTimestamp()),
        meta.generation(),
        meta.deleting(),
        meta.labels(),
        meta.annotations(),
        number(spec, "replicas", 1),
        Duration.ofSeconds(number(spec, "minReadySeconds", 0)),
        Selectors.of(selector).orElse(null),
        spec.map("template").map("metadata").map("labels").texts(),
        PodTemplate.digest(spec.map("template")),
        object.root().map("status"));
  }

  /** The uid. */
  public String uid() {
    return id.toString();
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
    return ObjectReference.of(
        variant.resource().apiVersion(), variant.kind, name.namespace(), name.name(), uid());
  }
}
