package dev.keelson.server.registry;

import dev.keelson.admission.webhook.Step;
import dev.keelson.admission.webhook.WebhookMetrics;
import dev.keelson.api.Verb;
import dev.keelson.http.health.Metrics;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The metrics of webhook calls, under Kubernetes' names. */
public final class WebhookCallMetrics implements WebhookMetrics {

  private static final String PREFIX = "apiserver_admission_webhook_";

  private static final Duration[] BOUNDS = {
    Duration.ofMillis(5),
    Duration.ofMillis(25),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofMillis(2500),
    Duration.ofSeconds(10),
    Duration.ofSeconds(25)
  };

  private final Metrics metrics;
  private final MatchConditionMetrics conditions;
  private final Map<Called, Timer> times = new ConcurrentHashMap<>();

  private record Called(Step step, String name, Verb operation, boolean rejected) {}

  /** Metrics that are registered when the first webhook is called. */
  public WebhookCallMetrics(Metrics metrics) {
    this.metrics = metrics;
    this.conditions = new MatchConditionMetrics(metrics, "webhook");
  }

  @Override
  public void called(
      Step step, String name, Verb operation, int code, boolean rejected, Duration took) {
    times.computeIfAbsent(new Called(step, name, operation, rejected), this::timer).record(took);
    metrics.count(
        PREFIX + "request_total",
        "Requests to admission webhooks, by name and by the code of their answer.",
        Map.of(
            "name", name,
            "type", step.text(),
            "operation", operation.name(),
            "code", Integer.toString(Math.min(code, 600)),
            "rejected", Boolean.toString(rejected)));
  }

  private Timer timer(Called called) {
    return Timer.builder(PREFIX + "admission_duration")
        .description("Latency of admission webhooks, by name, operation and type.")
        .tags(
            "name", called.name,
            "type", called.step.text(),
            "operation", called.operation.name(),
            "rejected", Boolean.toString(called.rejected))
        .serviceLevelObjectives(BOUNDS)
        .register(metrics.registry());
  }

  @Override
  public void rejected(Step step, String name, Verb operation, Rejection why, int code) {
    metrics.count(
        PREFIX + "rejection_count",
        "Requests that admission webhooks rejected, and why.",
        Map.of(
            "name", name,
            "type", step.text(),
            "operation", operation.name(),
            "error_type", why.text(),
            "rejection_code", Integer.toString(Math.min(code, 600))));
  }

  @Override
  public void failedOpen(Step step, String name) {
    metrics.count(
        PREFIX + "fail_open_count",
        "Failed calls of admission webhooks that are ignored.",
        Map.of("name", name, "type", step.text()));
  }

  @Override
  public void excluded(Step step, String name, Verb operation) {
    conditions.excluded(name, type(step), operation);
  }

  @Override
  public void evaluated(Step step, String name, Verb operation, int errors, Duration took) {
    conditions.evaluated(name, type(step), operation, errors, took);
  }

  private static String type(Step step) {
    return step == Step.MUTATING ? "admit" : "validate";
  }
}
