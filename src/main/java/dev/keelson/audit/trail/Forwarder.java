package dev.keelson.audit.trail;

import dev.keelson.audit.AuditMetrics;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Brings events from the spool into the store, in order, on one thread. While the store is
 * unavailable the same batch is tried again with growing pauses; an event that the store rejects is
 * dropped and counted, so that it does not hold up those behind it.
 */
final class Forwarder {

  private static final Logger LOG = Logger.getLogger(Forwarder.class);

  private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(10);
  private static final long IDLE = TimeUnit.SECONDS.toNanos(60);

  private final Spool spool;
  private final TrailStore store;
  private final int maxBatch;
  private final AuditMetrics metrics;
  private final DoubleSupplier random;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition stopped = lock.newCondition();
  private volatile boolean stopping;
  private volatile long deadline = Long.MAX_VALUE;
  private @Nullable Thread thread;

  /**
   * A forwarder that is not started.
   *
   * @param maxBatch the most events of one call of the store
   * @param random from 0 to 1, spreads the retries of several servers
   */
  Forwarder(
      Spool spool, TrailStore store, int maxBatch, AuditMetrics metrics, DoubleSupplier random) {
    this.spool = spool;
    this.store = store;
    this.maxBatch = maxBatch;
    this.metrics = metrics;
    this.random = random;
  }

  void start() {
    thread = Thread.ofVirtual().name("audit-trail").start(this::run);
  }

  private void run() {
    long pause = 0;
    try {
      while (!isDone()) {
        if (pause > 0) {
          if (stopping) {
            // what is left stays in the spool
            return;
          }
          pause(pause);
        }
        pause = step(pause);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isDone() {
    return stopping && (spool.isDrained() || System.nanoTime() - deadline >= 0);
  }

  /** Brings one batch into the store; returns how long to wait before the next. */
  private long step(long lastPause) throws InterruptedException {
    try {
      List<TrailEvent> batch = spool.take(maxBatch);
      countDamaged();
      if (batch.isEmpty()) {
        // a stop wakes it, too: it closes what is awaited or interrupts
        boolean unused = !stopping && spool.await(IDLE);
        return 0;
      }
      store(batch);
      spool.confirm();
      countDamaged();
      if (lastPause > 0) {
        LOG.infof("event=audit-trail-available");
      }
      return 0;
    } catch (IOException | RuntimeException e) {
      if (lastPause == 0) {
        LOG.warnf("event=audit-trail-unavailable error=%s", e.getMessage());
      }
      return Math.min(LONGEST_PAUSE, Math.max(FIRST_PAUSE, 2 * lastPause));
    }
  }

  /** What is torn was at least one event. */
  private void countDamaged() {
    int count = spool.damaged();
    if (count > 0) {
      metrics.errors("trail", count);
    }
  }

  private void store(List<TrailEvent> batch) throws TrailException {
    try {
      store.append(batch);
    } catch (TrailException.Rejected e) {
      if (batch.size() == 1) {
        LOG.errorf(
            "event=audit-trail-rejected audit=%s error=%s",
            batch.getFirst().get(TrailField.AUDIT_ID), e.getMessage());
        metrics.errors("trail", 1);
        return;
      }
      int middle = batch.size() / 2;
      store(batch.subList(0, middle));
      store(batch.subList(middle, batch.size()));
    }
  }

  private void pause(long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      double half = (double) nanos / 2;
      long left = (long) (half + half * random.getAsDouble());
      while (!stopping && left > 0) {
        left = stopped.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Forwards what is left, for {@code grace} at most; the rest stays in the spool. */
  void stop(Duration grace) {
    lock.lock();
    try {
      deadline = System.nanoTime() + grace.toNanos();
      stopping = true;
      stopped.signalAll();
    } finally {
      lock.unlock();
    }
    Thread running = thread;
    if (running == null) {
      return;
    }
    try {
      if (spool.isDrained() || !running.join(grace)) {
        running.interrupt();
      }
    } catch (InterruptedException e) {
      running.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
