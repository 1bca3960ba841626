package dev.keelson.audit.trail;

import java.time.Duration;
import java.time.InstantSource;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Removes the days that are older than the retention, at the start and once an hour. */
public final class TrailRetention {

  private static final Logger LOG = Logger.getLogger(TrailRetention.class);
  private static final Duration INTERVAL = Duration.ofHours(1);

  private final TrailStore store;
  private final Duration keep;
  private final InstantSource clock;
  private @Nullable Thread thread;

  /**
   * A retention that is not started.
   *
   * @param keep how long events are kept; zero keeps them for ever
   */
  public TrailRetention(TrailStore store, Duration keep, InstantSource clock) {
    this.store = store;
    this.keep = keep;
    this.clock = clock;
  }

  void start() {
    if (!keep.isZero()) {
      thread = Thread.ofVirtual().name("audit-trail-retention").start(this::run);
    }
  }

  private void run() {
    try {
      while (true) {
        sweep();
        Thread.sleep(INTERVAL);
      }
    } catch (InterruptedException e) {
      // by stop, which ends the thread
      Thread.currentThread().interrupt();
    }
  }

  /** Removes what is too old now; a failure is logged, and the next sweep tries again. */
  void sweep() {
    try {
      store.removeBefore(clock.instant().minus(keep));
    } catch (TrailException | RuntimeException e) {
      LOG.warnf("event=audit-trail-retention error=%s", e.getMessage());
    }
  }

  void stop() {
    Thread running = thread;
    if (running != null) {
      running.interrupt();
    }
  }
}
