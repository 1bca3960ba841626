package dev.keelson.flow.queue;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A queue of a {@link QueueSet}, guarded by its lock. */
final class FairQueue<T extends Waiter> {

  /** In the order of their arrival; any may leave. */
  private final Set<T> waiting = new LinkedHashSet<>();

  private int initialSeats;
  private int maxSeats;
  private double work;

  /** The virtual start of the next request that is dispatched. */
  double nextDispatchR;

  int seatsInUse;

  /** In the order in which they were dispatched. */
  final Set<T> executing = new LinkedHashSet<>();

  void add(T waiter) {
    waiting.add(waiter);
    initialSeats += waiter.asked().initialSeats();
    maxSeats += waiter.asked().maxSeats();
    work += waiter.asked().totalWork();
  }

  boolean remove(T waiter) {
    if (!waiting.remove(waiter)) {
      return false;
    }
    initialSeats -= waiter.asked().initialSeats();
    maxSeats -= waiter.asked().maxSeats();
    // exact again whenever the queue is empty, so that errors of rounding do not add up
    work = waiting.isEmpty() ? 0 : work - waiter.asked().totalWork();
    return true;
  }

  @Nullable T oldest() {
    return waiting.isEmpty() ? null : waiting.iterator().next();
  }

  int length() {
    return waiting.size();
  }

  boolean isIdle() {
    return waiting.isEmpty() && executing.isEmpty();
  }

  /** The work that waits, in seat-seconds. */
  double waitingWork() {
    return work;
  }

  /** The request that waits longest is not dispatched, in virtual time, before it arrived. */
  void boundNextDispatch() {
    T oldest = oldest();
    if (oldest != null && nextDispatchR < oldest.arrivalR()) {
      nextDispatchR = oldest.arrivalR();
    }
  }

  QueueDump.Queue dump() {
    return new QueueDump.Queue(
        waiting.stream().map(QueueDump.Request::of).toList(),
        executing.stream().map(QueueDump.Request::of).toList(),
        seatsInUse,
        nextDispatchR,
        initialSeats,
        maxSeats,
        work);
  }
}
