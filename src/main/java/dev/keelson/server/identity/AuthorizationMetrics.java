package dev.keelson.server.identity;

import dev.keelson.authz.AuthorizerMetrics;
import dev.keelson.http.health.Metrics;
import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The metrics of authorizers, under Kubernetes' names. */
public record AuthorizationMetrics(Metrics metrics) implements AuthorizerMetrics {

  private static final String PREFIX = "apiserver_authorization_";
  private static final String WEBHOOK = PREFIX + "webhook_";
  private static final String CONDITIONS = PREFIX + "match_condition_";
  private static final List<Duration> CALLS =
      Stream.of(5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000)
          .map(Duration::ofMillis)
          .toList();
  private static final List<Duration> EVALUATIONS =
      Stream.of(1, 5, 10, 25, 100, 200, 250).map(Duration::ofMillis).toList();

  @Override
  public Runnable decisions(String type, String name, boolean allowed) {
    return new Decisions(metrics, type, name, allowed ? "allowed" : "denied");
  }

  /** Registers its counter with the first decision: there is no series before. */
  private static final class Decisions implements Runnable {

    private final Metrics metrics;
    private final String[] tags;
    private volatile @Nullable Counter counter;

    Decisions(Metrics metrics, String type, String name, String decision) {
      this.metrics = metrics;
      this.tags = new String[] {"type", type, "name", name, "decision", decision};
    }

    @Override
    public void run() {
      Counter known = counter;
      if (known == null) {
        known =
            Counter.builder(PREFIX + "decisions_total")
                .description("Decisions of an authorizer that end the chain of authorizers.")
                .tags(tags)
                .register(metrics.registry());
        counter = known;
      }
      known.increment();
    }
  }

  @Override
  public void asked(String name, String result, Duration took) {
    Map<String, String> labels = Map.of("name", name, "result", result);
    metrics.count(
        WEBHOOK + "evaluations_total", "Calls of authorization webhooks by result.", labels);
    metrics.time(
        WEBHOOK + "duration", "Time of calls of authorization webhooks.", labels, CALLS, took);
  }

  @Override
  public void failedOpen(String name, String result) {
    metrics.count(
        WEBHOOK + "evaluations_fail_open_total",
        "Failures of authorization webhooks that leave the decision to the next authorizer.",
        Map.of("name", name, "result", result));
  }

  @Override
  public void evaluated(String name, Duration took) {
    metrics.time(
        CONDITIONS + "evaluation",
        "Evaluation time of the match conditions of an authorizer.",
        labels(name),
        EVALUATIONS,
        took);
  }

  @Override
  public void excluded(String name) {
    metrics.count(
        CONDITIONS + "exclusions_total",
        "Requests that the match conditions of an authorizer excluded.",
        labels(name));
  }

  @Override
  public void unknown(String name) {
    metrics.count(
        CONDITIONS + "evaluation_errors_total",
        "Requests for which match conditions of an authorizer cannot be evaluated.",
        labels(name));
  }

  private static Map<String, String> labels(String name) {
    return Map.of("type", "Webhook", "name", name);
  }
}
