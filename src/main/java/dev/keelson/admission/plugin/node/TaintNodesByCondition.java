package dev.keelson.admission.plugin.node;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;

/**
 * TaintNodesByCondition: adds the taint of nodes that are not ready to a new node, so that no pod
 * is scheduled on it before its conditions are known.
 */
public final class TaintNodesByCondition implements Admission {

  private static final String NOT_READY = "node.kubernetes.io/not-ready";
  private static final String EFFECT = "NoSchedule";

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return operation == Verb.CREATE
        && resource.equals(new GroupResource("", "nodes"))
        && subresource.isEmpty();
  }

  @Override
  public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    MapNode spec = object.root().map("spec");
    for (MapNode taint : spec.maps("taints")) {
      if (taint.text("key").equals(NOT_READY) && taint.text("effect").equals(EFFECT)) {
        return object;
      }
    }
    List<Node> taints = new ArrayList<>(spec.items("taints"));
    taints.add(MapNode.of("key", Node.text(NOT_READY)).with("effect", Node.text(EFFECT)));
    return object.with("spec", spec.with("taints", new Node.Items(taints)));
  }
}
