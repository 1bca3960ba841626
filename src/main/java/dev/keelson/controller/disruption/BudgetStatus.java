package dev.keelson.controller.disruption;

import dev.keelson.controller.workload.Numbers;
import dev.keelson.controller.workload.Times;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The status of a PodDisruptionBudget (source: Kubernetes' {@code disruption.go} and {@code
 * poddisruptionbudget/conditions.go}).
 */
final class BudgetStatus {

  private static final String CONDITION = "DisruptionAllowed";
  private static final List<String> NUMBERS =
      List.of(
          "observedGeneration",
          "disruptionsAllowed",
          "currentHealthy",
          "desiredHealthy",
          "expectedPods");

  private BudgetStatus() {}

  /**
   * What a budget asks for.
   *
   * @param expected how many pods there should be
   * @param desired how many of them should be healthy
   */
  record Wanted(int expected, int desired) {}

  /** Whether a number or percentage is of the pods that there should be, not of those there are. */
  static boolean needsScale(MapNode spec) {
    return spec.has("maxUnavailable") || spec.get("minAvailable") instanceof Node.Text;
  }

  /**
   * What a budget asks for.
   *
   * @param pods how many there should be, if {@link #needsScale}, else how many there are
   */
  static Wanted wanted(MapNode spec, int pods) {
    Node unavailable = spec.get("maxUnavailable");
    if (unavailable != null) {
      return new Wanted(pods, Math.max(0, pods - share(unavailable, pods)));
    }
    Node available = spec.get("minAvailable");
    return available == null ? new Wanted(0, 0) : new Wanted(pods, share(available, pods));
  }

  /** A number, or a percentage of a number rounded up. */
  private static int share(Node value, int pods) {
    return switch (value) {
      case Node.Int number -> Math.clamp(number.value(), 0, Integer.MAX_VALUE);
      case Node.Text text -> {
        long percent = Numbers.parse(text.value().replace("%", ""), 0);
        yield Math.clamp(Math.ceilDiv(percent * pods, 100), 0, Integer.MAX_VALUE);
      }
      default -> 0;
    };
  }

  /**
   * The status of a budget.
   *
   * @param healthy how many pods are ready and stay so
   * @param disrupted the pods whose eviction was allowed but that are not yet being deleted
   */
  static MapNode of(
      ApiObject budget, Wanted wanted, int healthy, Map<String, String> disrupted, Instant now) {
    // a budget without pods is safe when its first pods appear and this has not been told yet
    int allowed = wanted.expected() <= 0 ? 0 : Math.max(0, healthy - wanted.desired());
    long generation = budget.meta().generation();
    MapNode.Builder status = MapNode.builder(7).put("observedGeneration", new Node.Int(generation));
    if (!disrupted.isEmpty()) {
      status.put("disruptedPods", MapNode.ofTexts(disrupted));
    }
    MapNode counts =
        status
            .put("disruptionsAllowed", new Node.Int(allowed))
            .put("currentHealthy", new Node.Int(healthy))
            .put("desiredHealthy", new Node.Int(wanted.desired()))
            .put("expectedPods", new Node.Int(wanted.expected()))
            .build();
    MapNode current = budget.root().map("status");
    return allowed > 0
        ? conditioned(counts, current, generation, "True", "SufficientPods", "", now)
        : conditioned(counts, current, generation, "False", "InsufficientPods", "", now);
  }

  /** The status of a budget that could not be judged: it allows nothing. */
  static MapNode failed(ApiObject budget, String message, Instant now) {
    MapNode current = budget.root().map("status");
    MapNode closed = current.with("disruptionsAllowed", new Node.Int(0));
    long observed = number(current, "observedGeneration");
    return conditioned(closed, current, observed, "False", "SyncFailed", message, now);
  }

  /** Whether two states say the same; a number that is not set is 0. */
  static boolean same(MapNode left, MapNode right) {
    return NUMBERS.stream().allMatch(key -> number(left, key) == number(right, key))
        && left.map("disruptedPods").equals(right.map("disruptedPods"))
        && left.items("conditions").equals(right.items("conditions"));
  }

  private static long number(MapNode status, String key) {
    return status.get(key) instanceof Node.Int number ? number.value() : 0;
  }

  private static MapNode conditioned(
      MapNode status,
      MapNode current,
      long generation,
      String value,
      String reason,
      String message,
      Instant now) {
    List<Node> conditions = new ArrayList<>();
    boolean known = false;
    for (MapNode each : current.maps("conditions")) {
      if (each.text("type").equals(CONDITION)) {
        known = true;
        String since =
            each.text("status").equals(value) ? each.text("lastTransitionTime") : Times.text(now);
        conditions.add(condition(generation, value, reason, message, since));
      } else {
        conditions.add(each);
      }
    }
    if (!known) {
      conditions.add(condition(generation, value, reason, message, Times.text(now)));
    }
    return status.with("conditions", new Items(conditions));
  }

  private static MapNode condition(
      long generation, String value, String reason, String message, String since) {
    MapNode.Builder condition =
        MapNode.builder(6).put("type", Node.text(CONDITION)).put("status", Node.text(value));
    if (generation != 0) {
      condition.put("observedGeneration", new Node.Int(generation));
    }
    return condition
        .put("lastTransitionTime", Node.text(since))
        .put("reason", Node.text(reason))
        .put("message", Node.text(message))
        .build();
  }
}
