package dev.keelson.scheduler;

import dev.keelson.controller.fit.NodeSelection;
import dev.keelson.controller.fit.RequiredNodes;
import dev.keelson.controller.fit.Toleration;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.scheduler.device.ExtendedRequests;
import dev.keelson.scheduler.device.PodClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What a pod without a node asks for.
 *
 * @param scheduler who is to place it
 * @param gated whether it is not to be placed yet
 * @param preferred terms of preferred node affinity
 * @param images those of its containers, with tags
 * @param claims its ResourceClaims
 * @param extended the extended resources that it requests
 * @param nominated the node on which room was made for it; empty if there is none
 * @param preempts whether others may be deleted to make room
 * @param message why it was not placed the last time; empty if that is not told
 */
record Wants(
    String scheduler,
    boolean gated,
    List<Toleration> tolerations,
    RequiredNodes required,
    List<Preferred> preferred,
    List<Spread> spreads,
    List<String> images,
    List<PodClaim> claims,
    ExtendedRequests extended,
    String nominated,
    boolean preempts,
    String message) {

  /** A term of preferred node affinity. */
  record Preferred(NodeSelection.Term term, long weight) {}

  Wants {
    tolerations = List.copyOf(tolerations);
    preferred = List.copyOf(preferred);
    spreads = List.copyOf(spreads);
    images = List.copyOf(images);
    claims = List.copyOf(claims);
  }

  /** Why no node can match the pod's affinity; empty if one may. */
  String contradiction() {
    Set<String> names = required.names();
    return names != null && names.isEmpty() ? "pod affinity terms conflict" : "";
  }

  static Wants of(MapNode spec, MapNode status) {
    List<Preferred> preferred = new ArrayList<>();
    for (MapNode weighted :
        spec.map("affinity")
            .map("nodeAffinity")
            .maps("preferredDuringSchedulingIgnoredDuringExecution")) {
      NodeSelection.term(weighted.map("preference"))
          .ifPresent(term -> preferred.add(new Preferred(term, Numbers.of(weighted, "weight"))));
    }
    String message = "";
    for (MapNode condition : status.maps("conditions")) {
      if (condition.text("type").equals("PodScheduled")
          && condition.get("status") instanceof Node.Text text
          && text.value().equals("False")) {
        message = condition.text("message");
      }
    }
    return new Wants(
        spec.text("schedulerName"),
        !spec.items("schedulingGates").isEmpty(),
        Toleration.of(spec),
        RequiredNodes.of(spec),
        preferred,
        Spread.of(spec),
        Images.of(spec),
        PodClaim.of(spec, status),
        ExtendedRequests.of(spec),
        status.text("nominatedNodeName"),
        !spec.text("preemptionPolicy").equals("Never"),
        message);
  }
}
