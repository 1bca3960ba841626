package dev.keelson.audit;

import dev.keelson.audit.event.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts in memory. */
public final class CountedMetrics implements AuditMetrics {

  public final AtomicInteger events = new AtomicInteger();
  public final AtomicInteger rejected = new AtomicInteger();
  public final Map<String, Integer> errors = new ConcurrentHashMap<>();
  public final Map<Level, Integer> levels = new ConcurrentHashMap<>();

  @Override
  public void event() {
    events.incrementAndGet();
  }

  @Override
  public void errors(String plugin, int count) {
    errors.merge(plugin, count, Integer::sum);
  }

  @Override
  public void level(Level level) {
    levels.merge(level, 1, Integer::sum);
  }

  @Override
  public void rejected() {
    rejected.incrementAndGet();
  }
}
