package dev.keelson.server.registry;

import dev.keelson.http.health.Buckets;
import dev.keelson.http.health.Metrics;
import dev.keelson.registry.conversion.ConversionMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The metrics of conversion webhooks, under Kubernetes' names (source: apiextensions-apiserver,
 * apiserver/conversion/metrics.go).
 */
public record ConversionMeters(Metrics metrics) implements ConversionMetrics {

  private static final List<Duration> CALLS =
      List.of(Buckets.seconds(0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60));
  private static final List<Duration> DEFINITIONS =
      List.of(Buckets.seconds(Buckets.exponential(0.001, 2, 15)));

  @Override
  public void called(Call call) {
    Failure failure = call.failure();
    Map<String, String> labels =
        Map.of(
            "result",
            failure == null ? "success" : "failure",
            "failure_type",
            failure == null ? "" : word(failure));
    metrics.count(
        "apiserver_conversion_webhook_request_total",
        "Calls of conversion webhooks, by what came of them.",
        labels);
    metrics.time(
        "apiserver_conversion_webhook_duration",
        "Time of calls of conversion webhooks, by what came of them.",
        labels,
        CALLS,
        call.took());
    metrics.time(
        "apiserver_crd_conversion_webhook_duration",
        "Time of calls of conversion webhooks, by definition and versions.",
        Map.of(
            "crd_name", call.definition(),
            "from_version", call.from(),
            "to_version", call.to(),
            "succeeded", Boolean.toString(failure == null)),
        DEFINITIONS,
        call.took());
  }

  private static String word(Failure failure) {
    return "conversion_webhook_" + failure.name().toLowerCase(Locale.ROOT) + "_failure";
  }
}
