package dev.keelson.flow.queue;

import dev.keelson.flow.queue.Limits.Excess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The seats and queues of one priority level. Safe for use by several threads; no method blocks.
 */
public final class QueueSet {

  /*
   * Fair Queuing for Server Requests (source: apiserver, util/flowcontrol/fairqueuing/queueset,
   * doc.go and queueset.go; KEP-1040).
   *
   * A flow's hash deals it a hand of the queues; its request goes to the one with the least work.
   * R is the meter of progress: seat-seconds that each busy queue has been given so far. It grows
   * at the rate min(seats asked for, limit) / busy queues. The next request comes from the queue
   * whose oldest one would end first in virtual time: its queue's next dispatch (in R) plus its
   * work. Until it has ended, its execution is taken to last 3 ms; then the queue's next
   * dispatch is corrected by the difference.
   *
   * Two rules keep queues from hoarding: a queue that becomes busy starts at R, and no dispatch
   * lies before the arrival of the request (boundNextDispatch).
   *
   * R is a double, not Kubernetes' fixed-point number: 600 seats are 2e10 after a year, of which a
   * double still tells microseconds apart, and it cannot overflow.
   *
   * One lock guards everything but the outcomes of tickets. Decisions are told after it is free.
   */

  private final TimeSource time;
  private final LevelObserver observer;
  private final ReentrantLock lock = new ReentrantLock();
  private final QueueRing queues = new QueueRing();
  private final List<Ticket> decided = new ArrayList<>();

  /** The requests that are executed without a queue. */
  private final Set<Ticket> alone = new LinkedHashSet<>();

  private Limits limits;
  private @Nullable Dealer dealer;

  private double r;
  private long lastNanos;
  private int busyQueues;
  private int requestsWaiting;
  private int seatsWaiting;
  private int requestsExecuting;
  private int seatsInUse;
  private long dispatched;
  private long rejected;
  private long timedOut;
  private long cancelled;

  /** Without work. */
  public QueueSet(TimeSource time, LevelObserver observer, Limits limits) {
    this.time = time;
    this.observer = observer;
    this.limits = limits;
    this.lastNanos = time.nanos().getAsLong();
    configure(limits);
  }

  /** Changes the limits; what waits may be dispatched. Queues beyond the number end when empty. */
  public void configure(Limits next) {
    lock.lock();
    try {
      advance();
      limits = next;
      dealer = next.excess() == Excess.QUEUE ? new Dealer(next.queues(), next.handSize()) : null;
      queues.grow(next.queues());
      queues.shrink(next.queues());
      observer.capacity(Math.max(1, next.seats()), next.capacity());
      dispatch();
    } finally {
      unlockAndTell();
    }
  }

  /** The limits. */
  public Limits limits() {
    lock.lock();
    try {
      return limits;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Asks for seats.
   *
   * @param decision runs once on any thread when a request that had to wait has its outcome; must
   *     be fast. Does not run if the returned ticket has one.
   */
  public Ticket start(Flow flow, WorkEstimate work, Runnable decision) {
    lock.lock();
    Ticket ticket;
    try {
      advance();
      ticket = new Ticket(flow, work, r, time.millis().getAsLong(), decision);
      Dealer dealing = dealer;
      if (dealing == null) {
        startWithoutQueue(ticket);
      } else {
        enqueue(ticket, dealing);
        dispatch();
      }
      // the caller looks at its outcome itself
      decided.remove(ticket);
    } finally {
      unlockAndTell();
    }
    return ticket;
  }

  private void startWithoutQueue(Ticket ticket) {
    if (!fits(ticket.work.maxSeats())) {
      reject(ticket, Outcome.CONCURRENCY_LIMIT);
    } else if (ticket.decide(Outcome.EXECUTE)) {
      execute(ticket);
      observer.demand(seatsInUse + seatsWaiting);
    }
  }

  private void enqueue(Ticket ticket, Dealer dealing) {
    FairQueue<Ticket> queue = queues.choose(dealing.deal(ticket.flow().hash()));
    if (seatsInUse >= limits.seats() && queue.length() >= limits.lengthLimit()) {
      reject(ticket, Outcome.QUEUE_FULL);
      return;
    }
    if (queue.isIdle()) {
      queue.nextDispatchR = r;
      busyQueues++;
    }
    ticket.queue = queue;
    queue.add(ticket);
    waiting(ticket, 1);
    observer.enqueued(ticket.flow(), queue.length());
    observer.demand(seatsInUse + seatsWaiting);
    queue.boundNextDispatch();
  }

  private void reject(Ticket ticket, Outcome why) {
    if (ticket.decide(why)) {
      rejected++;
      timedOut += why == Outcome.TIME_OUT ? 1 : 0;
      cancelled += why == Outcome.CANCELLED ? 1 : 0;
      observer.rejected(ticket.flow(), why);
    }
  }

  private void waiting(Ticket ticket, int change) {
    int seats = change * ticket.asked().maxSeats();
    requestsWaiting += change;
    seatsWaiting += seats;
    observer.waiting(ticket.flow(), change, seats);
  }

  /** Dispatches requests while there are seats for the one that is next in turn. */
  private void dispatch() {
    while (requestsWaiting > 0 && (seatsInUse < limits.seats() || limits.excess() == Excess.PASS)) {
      FairQueue<Ticket> queue = queues.next();
      Ticket ticket = queue == null ? null : queue.oldest();
      if (queue == null || ticket == null) {
        return;
      }
      if (!fits(ticket.work.maxSeats())) {
        observer.notAccommodated(ticket.flow());
        return;
      }
      queues.dispatchedFrom(queue);
      boolean unused = queue.remove(ticket);
      waiting(ticket, -1);
      if (ticket.decide(Outcome.EXECUTE)) {
        ticket.work = ticket.work.within(Math.max(1, limits.seats()));
        observer.dispatched(r, queue.nextDispatchR);
        execute(ticket);
        queue.nextDispatchR += ticket.work.totalWork();
        decided.add(ticket);
      }
      observer.demand(seatsInUse + seatsWaiting);
      queue.boundNextDispatch();
    }
  }

  /** Whether there are so many seats; a request that is too large for all waits for all. */
  private boolean fits(int seats) {
    if (limits.excess() == Excess.PASS) {
      return true;
    }
    return seats > limits.seats() ? requestsExecuting == 0 : seatsInUse + seats <= limits.seats();
  }

  private void execute(Ticket ticket) {
    int seats = ticket.work.maxSeats();
    ticket.startNanos = lastNanos;
    ticket.startMillis = time.millis().getAsLong();
    dispatched++;
    requestsExecuting++;
    seatsInUse += seats;
    FairQueue<Ticket> queue = ticket.queue;
    if (queue != null) {
      queue.executing.add(ticket);
      queue.seatsInUse += seats;
    } else {
      alone.add(ticket);
    }
    observer.executing(ticket.flow(), 1, seats);
  }

  /** A request was executed: releases its seats. Further calls do nothing. */
  public void finish(Ticket ticket) {
    lock.lock();
    try {
      if (ticket.finished || ticket.outcome() != Outcome.EXECUTE) {
        return;
      }
      ticket.finished = true;
      advance();
      requestsExecuting--;
      FairQueue<Ticket> queue = ticket.queue;
      if (queue != null) {
        queue.executing.remove(ticket);
        busyQueues -= queue.isIdle() ? 1 : 0;
        double early =
            WorkEstimate.EXECUTION.toNanos() / 1e9 - (lastNanos - ticket.startNanos) / 1e9;
        queue.nextDispatchR -= ticket.work.initialSeats() * early;
        queue.boundNextDispatch();
      } else {
        alone.remove(ticket);
      }
      observer.executing(ticket.flow(), -1, 0);
      Duration kept = ticket.work.additional();
      if (kept.isPositive()) {
        time.timer().after(kept, () -> releaseLater(ticket));
      } else {
        release(ticket);
      }
      dispatch();
    } finally {
      unlockAndTell();
    }
  }

  private void releaseLater(Ticket ticket) {
    lock.lock();
    try {
      advance();
      release(ticket);
      dispatch();
    } finally {
      unlockAndTell();
    }
  }

  private void release(Ticket ticket) {
    int seats = ticket.work.maxSeats();
    seatsInUse -= seats;
    FairQueue<Ticket> queue = ticket.queue;
    if (queue != null) {
      queue.seatsInUse -= seats;
    }
    observer.executing(ticket.flow(), 0, -seats);
    observer.demand(seatsInUse + seatsWaiting);
    queues.shrink(limits.queues());
  }

  /**
   * A request waits no longer; does nothing if there is a decision.
   *
   * @param why {@link Outcome#TIME_OUT} or {@link Outcome#CANCELLED}
   */
  public void giveUp(Ticket ticket, Outcome why) {
    lock.lock();
    try {
      advance();
      FairQueue<Ticket> queue = ticket.queue;
      if (queue != null && ticket.outcome() == null && queue.remove(ticket)) {
        waiting(ticket, -1);
        reject(ticket, why);
        busyQueues -= queue.isIdle() ? 1 : 0;
        queue.boundNextDispatch();
        observer.demand(seatsInUse + seatsWaiting);
        queues.shrink(limits.queues());
        // the next in turn may be a smaller one
        dispatch();
      }
    } finally {
      unlockAndTell();
    }
  }

  /** Advances R: the state of the queues was the same since the last time. */
  private void advance() {
    long nanos = time.nanos().getAsLong();
    double passed = (nanos - lastNanos) / 1e9;
    lastNanos = nanos;
    if (busyQueues > 0) {
      r += passed * Math.min(seatsInUse + seatsWaiting, limits.seats()) / busyQueues;
    }
  }

  private void unlockAndTell() {
    List<Ticket> told = decided.isEmpty() ? List.of() : List.copyOf(decided);
    decided.clear();
    lock.unlock();
    told.forEach(Ticket::tell);
  }

  /** Whether nothing waits, nothing is executed and no seat is kept. */
  public boolean isIdle() {
    lock.lock();
    try {
      return requestsWaiting == 0 && seatsInUse == 0;
    } finally {
      lock.unlock();
    }
  }

  /** The meter of progress, in seat-seconds. */
  public double progress() {
    lock.lock();
    try {
      advance();
      return r;
    } finally {
      lock.unlock();
    }
  }

  /** What it is doing. */
  public QueueDump dump() {
    lock.lock();
    try {
      return new QueueDump(
          queues.dump(),
          alone.stream().map(QueueDump.Request::of).toList(),
          requestsWaiting,
          requestsExecuting,
          seatsInUse,
          new QueueDump.Totals(dispatched, rejected, timedOut, cancelled));
    } finally {
      lock.unlock();
    }
  }
}
