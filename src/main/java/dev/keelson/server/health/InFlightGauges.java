package dev.keelson.server.health;

import dev.keelson.flow.InFlightLimiter;
import dev.keelson.flow.InFlightLimiter.Sort;
import dev.keelson.http.health.Metrics;
import java.util.Map;

/** Registers the metric {@code apiserver_current_inflight_requests}. */
public final class InFlightGauges {

  private InFlightGauges() {}

  public static void register(Metrics metrics, InFlightLimiter limiter) {
    register(metrics, "readOnly", limiter, Sort.READ_ONLY);
    register(metrics, "mutating", limiter, Sort.MUTATING);
  }

  private static void register(Metrics metrics, String kind, InFlightLimiter limiter, Sort sort) {
    metrics.gauge(
        "apiserver_current_inflight_requests",
        Map.of("request_kind", kind),
        () -> limiter.taken(sort));
  }
}
