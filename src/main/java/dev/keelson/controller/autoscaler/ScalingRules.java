package dev.keelson.controller.autoscaler;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.util.List;
import java.util.function.IntBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One direction of an autoscaler's behavior.
 *
 * @param window of the recommendations that count; null if it is not set
 * @param select which of the policies counts
 */
record ScalingRules(@Nullable Duration window, Select select, List<Policy> policies) {

  /** Which of several policies counts. */
  enum Select {
    MAX,
    MIN,
    DISABLED
  }

  /**
   * How fast the number of replicas may change.
   *
   * @param percent whether the value is a percentage of the replicas at the begin of the period
   */
  record Policy(boolean percent, int value, Duration period) {}

  ScalingRules {
    policies = List.copyOf(policies);
  }

  /** The rules of a direction; what is not set is as the API server sets it. */
  static ScalingRules of(MapNode rules) {
    Select select =
        switch (rules.text("selectPolicy")) {
          case "Min" -> Select.MIN;
          case "Disabled" -> Select.DISABLED;
          default -> Select.MAX;
        };
    return new ScalingRules(
        rules.get("stabilizationWindowSeconds") instanceof Node.Int seconds
            ? Duration.ofSeconds(seconds.value())
            : null,
        select,
        rules.maps("policies").stream().map(ScalingRules::policy).toList());
  }

  private static Policy policy(MapNode policy) {
    return new Policy(
        policy.text("type").equals("Percent"),
        number(policy, "value"),
        Duration.ofSeconds(number(policy, "periodSeconds")));
  }

  private static int number(MapNode policy, String field) {
    return policy.get(field) instanceof Node.Int number
        ? Math.clamp(number.value(), 0, Integer.MAX_VALUE)
        : 0;
  }

  /** The longest time for which changes matter. */
  Duration longestPeriod() {
    Duration longest = Duration.ZERO;
    for (Policy policy : policies) {
      longest = longest.compareTo(policy.period()) < 0 ? policy.period() : longest;
    }
    return longest;
  }

  /** The highest number of replicas that is allowed. */
  int highest(int current, ScalingHistory history) {
    return limit(
        current,
        history,
        select == Select.MIN ? Math::min : Math::max,
        (policy, begin) ->
            policy.percent()
                ? Math.ceil(begin * (1 + policy.value() / 100.0))
                : (double) begin + policy.value());
  }

  /** The lowest number of replicas that is allowed. */
  int lowest(int current, ScalingHistory history) {
    return limit(
        current,
        history,
        select == Select.MIN ? Math::max : Math::min,
        (policy, begin) ->
            policy.percent()
                ? begin * (1 - policy.value() / 100.0)
                : (double) begin - policy.value());
  }

  @FunctionalInterface
  private interface Proposal {
    double of(Policy policy, int begin);
  }

  private int limit(
      int current, ScalingHistory history, IntBinaryOperator choice, Proposal proposal) {
    return select == Select.DISABLED
        ? current
        : policies.stream()
            .mapToInt(
                policy ->
                    (int) proposal.of(policy, history.replicasBefore(current, policy.period())))
            .reduce(choice)
            .orElse(current);
  }
}
