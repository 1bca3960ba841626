package dev.keelson.server.audit;

import dev.keelson.audit.AuditMetrics;
import dev.keelson.audit.event.Level;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;

/** kube-apiserver's counters of the audit. */
public final class CountedAudit implements AuditMetrics {

  private final MeterRegistry registry;
  private final Counter events;
  private final Counter rejected;
  private final Map<Level, Counter> levels = new EnumMap<>(Level.class);

  /** Registers them. */
  public CountedAudit(MeterRegistry registry) {
    this.registry = registry;
    this.events =
        Counter.builder("apiserver_audit_event_total")
            .description("Audit events generated and sent to the audit back ends.")
            .register(registry);
    this.rejected =
        Counter.builder("apiserver_audit_requests_rejected_total")
            .description("Requests rejected for a failure of an audit back end.")
            .register(registry);
    for (Level level : Level.values()) {
      levels.put(
          level,
          Counter.builder("apiserver_audit_level_total")
              .description("Requests by the audit level that the policy gives them.")
              .tag("level", level.word())
              .register(registry));
    }
  }

  @Override
  public void event() {
    events.increment();
  }

  @Override
  public void errors(String plugin, int count) {
    Counter.builder("apiserver_audit_error_total")
        .description("Audit events lost, by the plugin that lost them.")
        .tag("plugin", plugin)
        .register(registry)
        .increment(count);
  }

  @Override
  public void level(Level level) {
    Counter counter = levels.get(level);
    if (counter != null) {
      counter.increment();
    }
  }

  @Override
  public void rejected() {
    rejected.increment();
  }
}
