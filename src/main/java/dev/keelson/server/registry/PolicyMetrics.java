package dev.keelson.server.registry;

import dev.keelson.admission.policy.PolicyObserver;
import dev.keelson.cel.admission.MatchConditions.Verdict;
import dev.keelson.http.health.Metrics;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Counts the checks of admission policies, under Kubernetes' names. */
public final class PolicyMetrics implements PolicyObserver {

  /** Bounds of the histograms, as in Kubernetes. */
  private static final List<Duration> BOUNDS =
      List.of(
          Duration.ofNanos(500),
          Duration.ofMillis(1),
          Duration.ofMillis(10),
          Duration.ofMillis(100),
          Duration.ofSeconds(1));

  /** Kubernetes gives mutating policies the type of validating ones. */
  private static final String CONDITIONS_TYPE = "validate";

  private final Metrics metrics;
  private final MatchConditionMetrics conditions;

  /** Counts in {@code metrics}. */
  public PolicyMetrics(Metrics metrics) {
    this.metrics = metrics;
    this.conditions = new MatchConditionMetrics(metrics, "policy");
  }

  @Override
  public void observe(Check check) {
    String name =
        switch (check.plugin()) {
          case VALIDATING -> "apiserver_validating_admission_policy_check";
          case MUTATING -> "apiserver_mutating_admission_policy_check";
        };
    Map<String, String> labels =
        Map.of(
            "policy",
            check.policy(),
            "policy_binding",
            check.binding(),
            "error_type",
            check.error(),
            "enforcement_action",
            check.action());
    metrics.count(
        name + "_total",
        "Admission policy checks, by policy, binding, error and enforcement action.",
        labels);
    metrics.time(
        name + "_duration",
        "Latency of admission policy checks, by policy, binding, error and enforcement action.",
        labels,
        BOUNDS,
        Duration.ofNanos(check.nanos()));
  }

  @Override
  public void observe(Conditions evaluated) {
    conditions.evaluated(
        evaluated.policy(),
        CONDITIONS_TYPE,
        evaluated.operation(),
        evaluated.verdict().errors(),
        Duration.ofNanos(evaluated.nanos()));
    if (evaluated.verdict() instanceof Verdict.Excluded) {
      conditions.excluded(evaluated.policy(), CONDITIONS_TYPE, evaluated.operation());
    }
  }
}
