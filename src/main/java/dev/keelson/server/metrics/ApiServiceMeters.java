package dev.keelson.server.metrics;

import dev.keelson.controller.aggregation.AvailabilityController;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The meters of the availability of remote APIServices (source: kube-aggregator,
 * controllers/status/metrics/metrics.go). There are as many series as APIServices.
 */
public final class ApiServiceMeters implements AvailabilityController.Observer {

  private final MeterRegistry registry;
  private final Map<String, State> states = new ConcurrentHashMap<>();

  private static final class State {
    private volatile int unavailable;
  }

  /** Meters in {@code registry}, each with its first value. */
  public ApiServiceMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void checked(String name, boolean available) {
    states.computeIfAbsent(name, this::registered).unavailable = available ? 0 : 1;
  }

  @Override
  public void lost(String name, String reason) {
    Counter.builder("aggregator_unavailable_apiservice_total")
        .description("Times that an APIService became unavailable, by reason.")
        .tags("name", name, "reason", reason)
        .register(registry)
        .increment();
  }

  private State registered(String name) {
    State state = new State();
    Gauge.builder("aggregator_unavailable_apiservice", state, each -> each.unavailable)
        .description("APIServices that are unavailable: 1 if it is, else 0.")
        .tags("name", name)
        .register(registry);
    return state;
  }

  @Override
  public void forgotten(String name) {
    if (states.remove(name) != null) {
      registry
          .find("aggregator_unavailable_apiservice")
          .tags("name", name)
          .gauges()
          .forEach(registry::remove);
    }
  }
}
