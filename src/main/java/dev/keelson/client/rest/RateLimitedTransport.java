package dev.keelson.client.rest;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Delays requests beyond a rate: a token bucket, as client-go's (contract, {@code --kube-api-qps}
 * and {@code --kube-api-burst}). Requests leave in the order in which they come.
 */
public final class RateLimitedTransport implements ApiTransport {

  private static final long SECOND = 1_000_000_000L;

  private final ApiTransport next;
  private final long intervalNanos;
  private final long burstNanos;
  private final LongSupplier nanos;
  private final ReentrantLock lock = new ReentrantLock(/* fair= */ true);

  /** When the bucket is full again. Guarded by the lock. */
  private long fullAt;

  /**
   * A full bucket.
   *
   * @param perSecond requests a second in the long run, above 0
   * @param burst requests at once, at least 1
   * @param nanos a monotonic clock, in nanoseconds
   */
  public RateLimitedTransport(ApiTransport next, double perSecond, int burst, LongSupplier nanos) {
    if (!(perSecond > 0) || burst < 1) {
      throw new IllegalArgumentException("rate " + perSecond + ", burst " + burst);
    }
    this.next = next;
    this.intervalNanos = Math.max(1, (long) (SECOND / perSecond));
    this.burstNanos = intervalNanos * burst;
    this.nanos = nanos;
    this.fullAt = nanos.getAsLong();
  }

  @Override
  public Answer send(Request request) throws IOException, InterruptedException {
    await();
    return next.send(request);
  }

  @Override
  public Answer send(Request request, TimeLimit limit) throws IOException, InterruptedException {
    await();
    return next.send(request, limit);
  }

  @Override
  public EventStream watch(Request request) throws IOException, InterruptedException {
    await();
    return next.watch(request);
  }

  private void await() throws InterruptedException {
    long wait = reserve();
    if (wait > 0) {
      Thread.sleep(Duration.ofNanos(wait));
    }
  }

  /** Takes a token; returns how long to wait for it, in nanoseconds. */
  long reserve() {
    lock.lock();
    try {
      long now = nanos.getAsLong();
      fullAt = Math.max(fullAt, now) + intervalNanos;
      return Math.max(0, fullAt - now - burstNanos);
    } finally {
      lock.unlock();
    }
  }
}
