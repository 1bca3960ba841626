package dev.keelson.flow.queue;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A request in a {@link QueueSet}. Its fields but the outcome are guarded by the lock of the set.
 */
public final class Ticket implements Waiter {

  private final Flow flow;
  private final WorkEstimate asked;
  private final double arrivalR;
  private final long arrivalMillis;
  private final Runnable decided;
  private final AtomicReference<@Nullable Outcome> outcome = new AtomicReference<>();

  /** What it takes of the seats; a dispatch may give what it asked for another shape. */
  WorkEstimate work;

  /** Null in a set without queues. */
  @Nullable FairQueue<Ticket> queue;

  long startNanos;
  long startMillis;
  boolean finished;

  Ticket(Flow flow, WorkEstimate asked, double arrivalR, long arrivalMillis, Runnable decided) {
    this.flow = flow;
    this.asked = asked;
    this.work = asked;
    this.arrivalR = arrivalR;
    this.arrivalMillis = arrivalMillis;
    this.decided = decided;
  }

  @Override
  public Flow flow() {
    return flow;
  }

  @Override
  public WorkEstimate asked() {
    return asked;
  }

  @Override
  public double arrivalR() {
    return arrivalR;
  }

  @Override
  public long arrivalMillis() {
    return arrivalMillis;
  }

  @Override
  public long startMillis() {
    return startMillis;
  }

  /** The decision; null while the request waits. */
  public @Nullable Outcome outcome() {
    return outcome.get();
  }

  /** Within the lock of the set. */
  boolean decide(Outcome what) {
    return outcome.compareAndSet(null, what);
  }

  /** Outside of the lock of the set. */
  void tell() {
    decided.run();
  }
}
