package dev.keelson.server.registry;

import dev.keelson.api.Verb;
import dev.keelson.http.health.Metrics;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The metrics of match conditions, under Kubernetes' names (source: apiserver, {@code
 * admission/metrics}).
 */
final class MatchConditionMetrics {

  private static final String PREFIX = "apiserver_admission_match_condition_";

  private static final List<Duration> BOUNDS =
      List.of(
          Duration.ofMillis(5),
          Duration.ofMillis(25),
          Duration.ofMillis(100),
          Duration.ofMillis(500),
          Duration.ofSeconds(1),
          Duration.ofMillis(2500));

  private final Metrics metrics;
  private final String kind;

  /**
   * @param kind what has the conditions: {@code webhook} or {@code policy}
   */
  MatchConditionMetrics(Metrics metrics, String kind) {
    this.metrics = metrics;
    this.kind = kind;
  }

  /** The conditions excluded a request. */
  void excluded(String name, String type, Verb operation) {
    metrics.count(
        PREFIX + "exclusions_total",
        "Requests that the match conditions of a webhook or policy excluded.",
        labels(name, type, operation));
  }

  /**
   * The conditions were evaluated.
   *
   * @param type admit or validate
   * @param errors the number of those that cannot be evaluated
   */
  void evaluated(String name, String type, Verb operation, int errors, Duration took) {
    Map<String, String> labels = labels(name, type, operation);
    metrics.time(
        PREFIX + "evaluation",
        "Evaluation time of the match conditions of a webhook or policy.",
        labels,
        BOUNDS,
        took);
    for (int i = 0; i < errors; i++) {
      metrics.count(
          PREFIX + "evaluation_errors_total",
          "Match conditions of a webhook or policy that cannot be evaluated.",
          labels);
    }
  }

  private Map<String, String> labels(String name, String type, Verb operation) {
    return Map.of("name", name, "kind", kind, "type", type, "operation", operation.name());
  }
}
