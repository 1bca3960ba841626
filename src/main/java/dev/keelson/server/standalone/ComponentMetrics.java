package dev.keelson.server.standalone;

import dev.keelson.http.health.MetricsText;
import dev.keelson.http.health.ProcessMetrics;
import dev.keelson.http.health.TextResponse;
import dev.keelson.http.health.Version;
import dev.keelson.server.controller.EvictionMeters;
import dev.keelson.server.controller.SchedulingMetrics;
import dev.keelson.server.controller.WorkQueueMeters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/** The metrics of a component, with the names of Kubernetes' components. */
final class ComponentMetrics {

  private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(key -> null);
  private final Map<Answered, Counter> answered = new ConcurrentHashMap<>();

  private record Answered(String method, String host, String code) {}

  /**
   * Metrics of a component.
   *
   * @param lease the name of the Lease
   * @param leads whether this process leads
   */
  ComponentMetrics(Version version, String lease, BooleanSupplier leads) {
    ProcessMetrics.register(registry);
    Gauge.builder("leader_election_master_status", () -> leads.getAsBoolean() ? 1 : 0)
        .description("Whether this process holds the Lease: 1 if it does.")
        .tags("name", lease)
        .register(registry);
    version.register(registry.getPrometheusRegistry());
  }

  /** Counts a response of the API server. */
  void answered(String method, String host, String code) {
    answered.computeIfAbsent(new Answered(method, host, code), this::counter).increment();
  }

  private Counter counter(Answered of) {
    return Counter.builder("rest_client_requests_total")
        .description("Requests to the API server, by method and how they were answered.")
        .tags("code", of.code(), "host", of.host(), "method", of.method())
        .register(registry);
  }

  /** Those of the scheduler. */
  SchedulingMetrics scheduling() {
    return new SchedulingMetrics(registry);
  }

  /** Those of the work queues. */
  WorkQueueMeters queues() {
    return new WorkQueueMeters(registry);
  }

  /** Those of the controllers that delete pods for taints. */
  EvictionMeters evictions() {
    return new EvictionMeters(registry);
  }

  /** The response of {@code /metrics}. */
  TextResponse answer() {
    return MetricsText.answer(registry);
  }
}
