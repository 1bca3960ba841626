package dev.keelson.controller.autoscaler;

import dev.keelson.controller.workload.Times;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The status of an autoscaler while it is made. Confined to one worker. */
final class AutoscalerStatus {

  static final String ABLE = "AbleToScale";
  static final String ACTIVE = "ScalingActive";
  static final String LIMITED = "ScalingLimited";
  static final String AT_ZERO = "ScaledToZero";

  private final Instant now;
  private MapNode status;

  AutoscalerStatus(MapNode status, Instant now) {
    this.status = status;
    this.now = now;
  }

  MapNode node() {
    return status;
  }

  /** The replicas that were wanted last. */
  int desired() {
    return status.get("desiredReplicas") instanceof Node.Int number
        ? Math.clamp(number.value(), 0, Integer.MAX_VALUE)
        : 0;
  }

  /** Whether a condition is there and True. */
  boolean holds(String type) {
    return status.maps("conditions").stream()
        .anyMatch(each -> each.text("type").equals(type) && each.text("status").equals("True"));
  }

  /** Removes a condition, if it is there. */
  void remove(String type) {
    List<Node> others =
        status.items("conditions").stream()
            .filter(each -> !(each instanceof MapNode map && map.text("type").equals(type)))
            .toList();
    if (others.size() < status.items("conditions").size()) {
      status = status.with("conditions", new Items(others));
    }
  }

  /** Sets a condition; the time of its last change is kept if its status stays. */
  void set(String type, boolean holds, String reason, String message) {
    String word = holds ? "True" : "False";
    List<Node> conditions = new ArrayList<>(status.items("conditions"));
    int at = 0;
    while (at < conditions.size()
        && !(conditions.get(at) instanceof MapNode each && each.text("type").equals(type))) {
      at++;
    }
    MapNode before =
        at < conditions.size() && conditions.get(at) instanceof MapNode each ? each : MapNode.EMPTY;
    MapNode.Builder condition =
        MapNode.builder(5).put("type", Node.text(type)).put("status", Node.text(word));
    Node since = before.get("lastTransitionTime");
    condition.put(
        "lastTransitionTime",
        since != null && before.text("status").equals(word) ? since : Node.text(Times.text(now)));
    condition.put("reason", Node.text(reason)).put("message", Node.text(message));
    if (at < conditions.size()) {
      Node unused = conditions.set(at, condition.build());
    } else {
      conditions.add(condition.build());
    }
    status = status.with("conditions", new Items(conditions));
  }

  /**
   * Sets the numbers.
   *
   * @param metrics null if none were looked at
   */
  void report(int current, int desired, @Nullable List<MapNode> metrics, boolean rescaled) {
    MapNode.Builder next = MapNode.builder(6);
    Node before = status.get("lastScaleTime");
    if (rescaled) {
      next.put("lastScaleTime", Node.text(Times.text(now)));
    } else if (before != null) {
      next.put("lastScaleTime", before);
    }
    if (current != 0) {
      next.put("currentReplicas", new Node.Int(current));
    }
    next.put("desiredReplicas", new Node.Int(desired));
    if (metrics != null) {
      next.put("currentMetrics", new Items(List.copyOf(metrics)));
    }
    next.put("conditions", new Items(status.items("conditions")));
    status = next.build();
  }
}
