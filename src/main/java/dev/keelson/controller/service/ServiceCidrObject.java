package dev.keelson.controller.service;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Cidr;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Fields of ServiceCIDRs. */
final class ServiceCidrObject {

  static final String FINALIZER = "networking.k8s.io/service-cidr-finalizer";

  private static final String READY = "Ready";

  private ServiceCidrObject() {}

  static List<String> cidrs(ApiObject object) {
    List<String> cidrs = new ArrayList<>();
    for (Node item : object.root().map("spec").items("cidrs")) {
      if (item instanceof Node.Text text) {
        cidrs.add(text.value());
      }
    }
    return cidrs;
  }

  static List<Cidr> ranges(ApiObject object) {
    List<Cidr> ranges = new ArrayList<>();
    cidrs(object).forEach(text -> Cidr.tryParse(text).map(Cidr::masked).ifPresent(ranges::add));
    return ranges;
  }

  /** The condition Ready; empty if there is none. */
  static MapNode ready(ApiObject object) {
    for (MapNode condition : object.root().map("status").maps("conditions")) {
      if (condition.text("type").equals(READY)) {
        return condition;
      }
    }
    return MapNode.EMPTY;
  }

  /** Whether the object lacks the finalizer or the condition, or is being deleted. */
  static boolean needsWork(ApiObject object) {
    return object.meta().deleting()
        || !object.meta().finalizers().contains(FINALIZER)
        || !ready(object).text("status").equals("True");
  }

  /** The object with the condition; the same object if it has it. */
  static ApiObject withReady(
      ApiObject object, String status, String reason, String message, Instant now) {
    MapNode known = ready(object);
    if (known.text("status").equals(status)
        && known.text("reason").equals(reason)
        && known.text("message").equals(message)) {
      return object;
    }
    String knownSince = known.text("lastTransitionTime");
    String since =
        known.text("status").equals(status) && !knownSince.isEmpty()
            ? knownSince
            : now.truncatedTo(ChronoUnit.SECONDS).toString();
    MapNode condition =
        MapNode.builder(5)
            .put("type", Node.text(READY))
            .put("status", Node.text(status))
            .put("lastTransitionTime", Node.text(since))
            .put("reason", Node.text(reason))
            .put("message", Node.text(message))
            .build();
    List<Node> conditions = new ArrayList<>();
    for (MapNode other : object.root().map("status").maps("conditions")) {
      if (!other.text("type").equals(READY)) {
        conditions.add(other);
      }
    }
    conditions.add(condition);
    return object.with(
        "status", object.root().map("status").with("conditions", new Node.Items(conditions)));
  }
}
