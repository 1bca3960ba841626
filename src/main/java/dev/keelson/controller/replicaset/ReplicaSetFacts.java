package dev.keelson.controller.replicaset;

import dev.keelson.api.LabelSelector;
import dev.keelson.client.informer.Index;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.controller.workload.Owner;
import dev.keelson.controller.workload.Selectors;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the controller reads of a ReplicaSet.
 *
 * @param owner its controller, such as a Deployment; null if it has none
 * @param selector null if it is not valid
 * @param templateLabels the labels of new pods
 * @param status as stored
 */
record ReplicaSetFacts(
    ObjectName name,
    String uid,
    @Nullable Owner owner,
    long generation,
    boolean deleting,
    int replicas,
    Duration minReady,
    @Nullable LabelSelector selector,
    Map<String, String> templateLabels,
    MapNode status) {

  static final String API_VERSION = "apps/v1";
  static final String KIND = "ReplicaSet";

  /** Finds the ReplicaSets of an owner by its uid. */
  static final Index<ReplicaSetFacts> BY_OWNER =
      new Index<>(set -> set.owner == null ? List.of() : List.of(set.owner.uid()));

  ReplicaSetFacts {
    templateLabels = Map.copyOf(templateLabels);
  }

  static ReplicaSetFacts of(ApiObject object) {
    ObjectMeta meta = object.meta();
    MapNode spec = object.root().map("spec");
    return new ReplicaSetFacts(
        ObjectName.of(meta),
        meta.uid(),
        Owner.of(meta),
        meta.generation(),
        meta.deleting(),
        number(spec, "replicas", 1),
        Duration.ofSeconds(number(spec, "minReadySeconds", 0)),
        Selectors.of(spec.map("selector")).orElse(null),
        spec.map("template").map("metadata").map("labels").texts(),
        object.root().map("status"));
  }

  private static int number(MapNode node, String key, int absent) {
    return node.get(key) instanceof Node.Int number
        ? Math.clamp(number.value(), 0, Integer.MAX_VALUE)
        : absent;
  }

  ObjectReference reference() {
    return ObjectReference.of(API_VERSION, KIND, name.namespace(), name.name(), uid);
  }
}
