package dev.keelson.audit.delivery;

import dev.keelson.audit.Acceptance;
import dev.keelson.audit.AuditMetrics;
import dev.keelson.audit.EventSink;
import dev.keelson.audit.EventWriter;
import dev.keelson.audit.delivery.BatchOptions.Throttle;
import dev.keelson.audit.event.Event;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Mode batch: events are buffered and written in batches by other threads than the requests'. What
 * does not fit into the buffer is dropped and counted; no request ever waits.
 */
public final class BatchSink implements EventSink {

  /*
   * A collecting thread takes up to maxBatchSize events from the buffer, waits up to maxBatchWait
   * for a batch to fill, then for the throttle, and delivers. A writer that takes long (a webhook)
   * has several batches under way at a time, each on a thread of its own; their number is bounded,
   * since a slow webhook would otherwise hold batch after batch in memory. Order is kept inside a
   * batch, and between batches only if there is one delivery at a time.
   *
   * Events count towards maxBytes from their acceptance to the end of their delivery; beyond it
   * they are dropped as if the buffer were full. Bodies of requests and responses may be megabytes
   * each, and a bound on the number of events alone would be none on the memory.
   *
   * When stopping, batches do not wait to fill nor for the throttle; deliveries that are not over
   * at the end of the grace are interrupted, and what is still buffered is counted as lost.
   *
   * Lock: guards buffer and stopping. The weight of the events is an atomic number.
   */

  private static final String PLUGIN = "buffered";

  private final EventWriter writer;
  private final BatchOptions options;
  private final Limits limits;
  private final Losses losses;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<Event> buffer = new ArrayDeque<>();
  private boolean stopping;

  private final Semaphore permits;
  private final Set<Thread> delivering = ConcurrentHashMap.newKeySet();
  private @Nullable Thread collecting;

  /** The weight of the events that are buffered or being delivered; bytes. */
  private final AtomicLong held = new AtomicLong();

  /**
   * What the flags do not say.
   *
   * @param batchBytes larger batches are split; bytes
   * @param bytes the most that events may take from their acceptance to their delivery; bytes
   * @param deliveries how many batches are delivered at a time; with 1 the writer is called by one
   *     thread only
   */
  public record Limits(long batchBytes, long bytes, int deliveries) {}

  /** A buffer before {@code writer}. */
  public BatchSink(EventWriter writer, BatchOptions options, Limits limits, AuditMetrics metrics) {
    this.writer = writer;
    this.options = options;
    this.limits = limits;
    this.losses = new Losses(metrics, System::nanoTime);
    this.permits = new Semaphore(limits.deliveries());
  }

  @Override
  public Acceptance accept(Event event) {
    long weight = event.weight();
    boolean fits = held.addAndGet(weight) <= limits.bytes();
    boolean buffered;
    lock.lock();
    try {
      buffered = fits && !stopping && buffer.size() < options.bufferSize();
      if (buffered) {
        buffer.add(event);
        if (buffer.size() == 1 || buffer.size() >= options.maxBatchSize()) {
          changed.signalAll();
        }
      }
    } finally {
      lock.unlock();
    }
    if (!buffered) {
      held.addAndGet(-weight);
      losses.report(PLUGIN, 1, "audit buffer queue blocked");
    }
    return Acceptance.ACCEPTED;
  }

  @Override
  public void start() {
    collecting = Thread.ofPlatform().daemon().name("audit-" + writer.name()).start(this::run);
  }

  private void run() {
    Throttle throttle = options.throttle();
    TokenBucket bucket = throttle == null ? null : new TokenBucket(throttle, System.nanoTime());
    try {
      for (List<Event> batch = collect(); !batch.isEmpty(); batch = collect()) {
        if (bucket != null) {
          pause(bucket.take(System.nanoTime()));
        }
        for (List<Event> part : BatchSplit.of(batch, limits.batchBytes())) {
          deliver(part);
        }
      }
    } catch (InterruptedException e) {
      // the grace is over; stop() counts what is left
      Thread.currentThread().interrupt();
    }
  }

  /** The next batch; empty when stopping and nothing is left. */
  private List<Event> collect() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (buffer.isEmpty() && !stopping) {
        changed.await();
      }
      long remaining = options.maxBatchWait().toNanos();
      while (buffer.size() < options.maxBatchSize() && !stopping && remaining > 0) {
        remaining = changed.awaitNanos(remaining);
      }
      List<Event> batch = new ArrayList<>();
      while (batch.size() < options.maxBatchSize() && !buffer.isEmpty()) {
        batch.add(buffer.remove());
      }
      return batch;
    } finally {
      lock.unlock();
    }
  }

  private void pause(long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long remaining = nanos;
      while (!stopping && remaining > 0) {
        remaining = changed.awaitNanos(remaining);
      }
    } finally {
      lock.unlock();
    }
  }

  private void deliver(List<Event> batch) throws InterruptedException {
    if (limits.deliveries() == 1) {
      write(batch);
      return;
    }
    try {
      permits.acquire();
    } catch (InterruptedException e) {
      release(batch);
      losses.report(PLUGIN, batch.size(), "the server is shutting down");
      throw e;
    }
    Thread delivery =
        Thread.ofVirtual()
            .name("audit-" + writer.name())
            .unstarted(
                () -> {
                  try {
                    write(batch);
                  } finally {
                    delivering.remove(Thread.currentThread());
                    permits.release();
                  }
                });
    delivering.add(delivery);
    delivery.start();
  }

  private void write(List<Event> batch) {
    try {
      writer.write(batch);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      // without the collecting thread every later event would be lost
      losses.report(writer.name(), batch.size(), String.valueOf(e.getMessage()));
    } finally {
      release(batch);
    }
  }

  private void release(List<Event> batch) {
    long weight = 0;
    for (Event event : batch) {
      weight += event.weight();
    }
    held.addAndGet(-weight);
  }

  @Override
  public void stop(Duration grace) {
    long end = System.nanoTime() + grace.toNanos();
    lock.lock();
    try {
      stopping = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      Thread collector = collecting;
      if (collector != null && !collector.join(left(end))) {
        collector.interrupt();
      }
      if (!permits.tryAcquire(limits.deliveries(), left(end).toNanos(), TimeUnit.NANOSECONDS)) {
        delivering.forEach(Thread::interrupt);
      } else {
        permits.release(limits.deliveries());
      }
    } catch (InterruptedException e) {
      delivering.forEach(Thread::interrupt);
      Thread.currentThread().interrupt();
    }
    dropRest();
    writer.close();
  }

  private static Duration left(long end) {
    return Duration.ofNanos(Math.max(1, end - System.nanoTime()));
  }

  /** How many events wait in the buffer. */
  int buffered() {
    lock.lock();
    try {
      return buffer.size();
    } finally {
      lock.unlock();
    }
  }

  private void dropRest() {
    int rest;
    lock.lock();
    try {
      rest = buffer.size();
      buffer.clear();
    } finally {
      lock.unlock();
    }
    if (rest > 0) {
      losses.report(PLUGIN, rest, "the server is shutting down");
    }
  }
}
