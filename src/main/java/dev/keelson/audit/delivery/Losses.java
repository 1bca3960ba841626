package dev.keelson.audit.delivery;

import dev.keelson.audit.AuditMetrics;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/**
 * Counts lost events and logs them, at most one line in ten seconds: a back end that is down loses
 * thousands a second, and one line for each would hide everything else. Safe for use by any thread.
 */
final class Losses {

  private static final Logger LOG = Logger.getLogger(Losses.class);
  private static final long PAUSE = TimeUnit.SECONDS.toNanos(10);

  private final AuditMetrics metrics;
  private final LongSupplier nanoTime;
  private final AtomicLong unreported = new AtomicLong();
  private final AtomicLong nextReport;

  Losses(AuditMetrics metrics, LongSupplier nanoTime) {
    this.metrics = metrics;
    this.nanoTime = nanoTime;
    this.nextReport = new AtomicLong(nanoTime.getAsLong());
  }

  /**
   * Counts lost events.
   *
   * @param plugin the step that lost them: {@code buffered}, {@code truncate}, {@code log}, {@code
   *     webhook}
   * @return how many events the line that was logged speaks of; 0 if none was logged
   */
  long report(String plugin, int count, String why) {
    metrics.errors(plugin, count);
    unreported.addAndGet(count);
    long now = nanoTime.getAsLong();
    long next = nextReport.get();
    if (now - next < 0 || !nextReport.compareAndSet(next, now + PAUSE)) {
      return 0;
    }
    long lost = unreported.getAndSet(0);
    LOG.errorf("event=audit-events-lost plugin=%s count=%d error=%s", plugin, lost, why);
    return lost;
  }
}
