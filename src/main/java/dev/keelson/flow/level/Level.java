package dev.keelson.flow.level;

import dev.keelson.flow.queue.LevelObserver;
import dev.keelson.flow.queue.Limits;
import dev.keelson.flow.queue.QueueSet;
import dev.keelson.flow.queue.TimeSource;
import dev.keelson.flow.rule.PriorityLevel;
import org.jspecify.annotations.Nullable;

/**
 * A priority level at work: its queues and what it lends and borrows. What {@link PriorityLevels}
 * changes is guarded by its monitor; the rest is safe for use by several threads.
 */
public final class Level {

  /** A request gets at most this part of the seats of its level by its estimated work. */
  private static final double WIDEST = 0.15;

  private final SeatDemand demand;
  private final QueueSet queues;
  private final RetryAfter retryAfter = new RetryAfter();
  private volatile PriorityLevel spec;
  private volatile int maxSeats;

  int nominal;
  int lower;
  int upper;
  int current;

  /** Whether its object is gone: it ends when it is idle. */
  volatile boolean quiescing;

  Level(PriorityLevel spec, TimeSource time, LevelObserver observer) {
    this.spec = spec;
    this.demand = new SeatDemand(time.nanos().getAsLong());
    this.queues =
        new QueueSet(
            time, new ObservedDemand(observer, demand, time.nanos()), limits(spec, /* seats= */ 0));
  }

  private static Limits limits(PriorityLevel spec, int seats) {
    PriorityLevel.Queuing queuing = spec.queuing();
    if (spec.exempt()) {
      return Limits.none(seats);
    }
    return queuing == null
        ? new Limits(seats, Limits.Excess.REJECT, 0, 0, 0)
        : new Limits(
            seats,
            Limits.Excess.QUEUE,
            queuing.queues(),
            queuing.handSize(),
            queuing.lengthLimit());
  }

  /** Its object. */
  public PriorityLevel spec() {
    return spec;
  }

  /** Its seats and queues. */
  public QueueSet queues() {
    return queues;
  }

  /** Whether its object is gone. */
  public boolean isQuiescing() {
    return quiescing;
  }

  /** The most seats that a request of this level gets by its estimated work; 0 if not limited. */
  public int maxSeats() {
    return maxSeats;
  }

  /**
   * A request of this level is rejected.
   *
   * @param now seconds since 1970
   * @return seconds until its client may try again, from 1 to 32
   */
  public int reject(long now) {
    return retryAfter.reject(now);
  }

  SeatDemand demand() {
    return demand;
  }

  void become(PriorityLevel other) {
    spec = other;
    quiescing = false;
  }

  /**
   * Gives the level its share of the seats.
   *
   * @param share what it has if nobody borrows
   * @param total the seats of the server
   */
  void share(int share, int total) {
    Integer borrows = spec.borrowingLimitPercent();
    nominal = share;
    // unlike in Kubernetes, never its only seat: its requests would wait for the next adjustment
    lower = Math.max(Math.min(share, 1), share - percent(share, spec.lendablePercent()));
    upper = share + (borrows == null ? total : percent(share, borrows));
    maxSeats = widest(share, spec.queuing());
  }

  private static int percent(int seats, int percent) {
    return (int) Math.round(seats * percent / 100.0);
  }

  private static int widest(int seats, PriorityLevel.@Nullable Queuing queuing) {
    if (queuing == null) {
      return 0;
    }
    int ofHand = seats / queuing.handSize();
    return Math.max(1, Math.min((int) Math.ceil(seats * WIDEST), ofHand));
  }

  /** Sets how many seats it has until the next adjustment. */
  void seat(int seats) {
    current = seats;
    queues.configure(limits(spec, seats));
  }
}
