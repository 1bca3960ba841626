package dev.keelson.flow.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.flow.queue.Limits.Excess;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueueSetTest {

  private static final Limits TWO_SEATS = new Limits(2, Excess.QUEUE, 16, 2, 3);

  private final Deque<Runnable> timers = new ArrayDeque<>();
  private final List<String> told = new ArrayList<>();
  private final Counted counted = new Counted();
  private final List<Ticket> started = new ArrayList<>();
  private long nanos;

  private static final class Counted implements LevelObserver {
    private final Map<String, Integer> rejected = new HashMap<>();
    private int waiting;
    private int executing;
    private int seats;
    private int demand;

    @Override
    public void waiting(Flow flow, int requests, int seatsOfThem) {
      waiting += requests;
    }

    @Override
    public void executing(Flow flow, int requests, int seatsOfThem) {
      executing += requests;
      seats += seatsOfThem;
    }

    @Override
    public void rejected(Flow flow, Outcome outcome) {
      rejected.merge(outcome.reason(), 1, Integer::sum);
    }

    @Override
    public void demand(int current) {
      demand = current;
    }
  }

  private QueueSet set(Limits limits) {
    return new QueueSet(
        new TimeSource(() -> nanos, () -> 0, (delay, action) -> timers.add(action)),
        counted,
        limits);
  }

  private Ticket start(QueueSet set, String flow, WorkEstimate work) {
    long hash = flow.hashCode() * 0x9E3779B97F4A7C15L;
    Ticket ticket = set.start(new Flow("s", flow, hash, ""), work, () -> told.add(flow));
    started.add(ticket);
    return ticket;
  }

  private Ticket start(QueueSet set, String flow) {
    return start(set, flow, WorkEstimate.ONE);
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  @Test
  void requestsWithinTheSeats_areExecutedAtOnce_othersWhenOneEnds() {
    QueueSet set = set(TWO_SEATS);

    Ticket first = start(set, "a");
    Ticket second = start(set, "a");
    Ticket third = start(set, "a");

    assertThat(first.outcome()).isEqualTo(Outcome.EXECUTE);
    assertThat(second.outcome()).isEqualTo(Outcome.EXECUTE);
    assertThat(third.outcome()).isNull();
    assertThat(told).isEmpty();
    set.finish(first);
    set.finish(first);
    assertThat(third.outcome()).isEqualTo(Outcome.EXECUTE);
    assertThat(told).containsExactly("a");
    set.finish(second);
    set.finish(third);
    assertThat(set.isIdle()).isTrue();
    assertThat(counted.executing + counted.seats + counted.waiting + counted.demand).isZero();
  }

  @Test
  void requestForAFullQueue_isRejected() {
    QueueSet set = set(new Limits(1, Excess.QUEUE, 1, 1, 2));
    Ticket executed = start(set, "a");
    start(set, "a");
    start(set, "a");

    assertThat(start(set, "a").outcome()).isEqualTo(Outcome.QUEUE_FULL);
    assertThat(counted.rejected).containsExactly(Map.entry("queue-full", 1));
    set.finish(executed);
    assertThat(start(set, "a").outcome()).isNull();
  }

  @Test
  void levelWithoutQueues_rejectsAboveItsSeats() {
    QueueSet set = set(new Limits(1, Excess.REJECT, 0, 0, 0));
    Ticket first = start(set, "a");

    assertThat(start(set, "b").outcome()).isEqualTo(Outcome.CONCURRENCY_LIMIT);
    set.finish(first);
    assertThat(start(set, "b").outcome()).isEqualTo(Outcome.EXECUTE);
  }

  @Test
  void exemptLevel_countsOnly() {
    QueueSet set = set(Limits.none(0));

    for (int i = 0; i < 5; i++) {
      assertThat(start(set, "a").outcome()).isEqualTo(Outcome.EXECUTE);
    }
    assertThat(counted.seats).isEqualTo(5);
  }

  @Test
  void floodOfOneFlow_doesNotDelayAnother() {
    QueueSet set = set(new Limits(1, Excess.QUEUE, 64, 4, 50));
    Deque<Ticket> executed = new ArrayDeque<>();
    executed.add(start(set, "flood"));
    for (int i = 0; i < 150; i++) {
      start(set, "flood");
    }
    Ticket other = start(set, "other");
    int before = 0;
    while (other.outcome() == null) {
      pass(Duration.ofMillis(3));
      int known = told.size();
      Ticket running = executed.remove();
      set.finish(running);
      assertThat(told).hasSize(known + 1);
      before++;
      executed.add(running());
    }

    // each of the four queues of the flood comes before it once at most
    assertThat(before).isLessThanOrEqualTo(5);
  }

  private Ticket running() {
    return started.stream()
        .filter(ticket -> ticket.outcome() == Outcome.EXECUTE && !ticket.finished)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void wideRequest_waitsForItsSeats_andHoldsThoseBehindIt() {
    QueueSet set = set(new Limits(4, Excess.QUEUE, 1, 1, 10));
    Ticket small = start(set, "a");
    Ticket wide = start(set, "a", new WorkEstimate(4));
    Ticket behind = start(set, "a");

    assertThat(wide.outcome()).isNull();
    assertThat(behind.outcome()).isNull();
    set.finish(small);
    assertThat(wide.outcome()).isEqualTo(Outcome.EXECUTE);
    assertThat(behind.outcome()).isNull();
    set.finish(wide);
    assertThat(behind.outcome()).isEqualTo(Outcome.EXECUTE);
  }

  @Test
  void requestWiderThanAllSeats_isExecutedAlone() {
    QueueSet set = set(TWO_SEATS);
    Ticket small = start(set, "a");
    Ticket wide = start(set, "a", new WorkEstimate(10));

    assertThat(wide.outcome()).isNull();
    set.finish(small);
    assertThat(wide.outcome()).isEqualTo(Outcome.EXECUTE);
    assertThat(start(set, "b").outcome()).isNull();
  }

  @Test
  void seatsAreKeptAfterAWrite_forItsWatchers_asLongAsTheWorkTakesWithinTheLimit() {
    QueueSet set = set(TWO_SEATS);
    Ticket write = start(set, "a", new WorkEstimate(1, 8, Duration.ofMillis(5)));

    set.finish(write);

    assertThat(counted.executing).isZero();
    assertThat(counted.seats).isEqualTo(2);
    assertThat(write.work.additional()).isEqualTo(Duration.ofMillis(20));
    Ticket next = start(set, "a");
    assertThat(next.outcome()).isNull();
    timers.remove().run();
    assertThat(next.outcome()).isEqualTo(Outcome.EXECUTE);
    set.finish(next);
    assertThat(counted.seats).isZero();
  }

  @Test
  void requestThatGaveUp_leavesItsQueue() {
    QueueSet set = set(TWO_SEATS);
    Ticket first = start(set, "a");
    start(set, "a");
    Ticket impatient = start(set, "a");
    Ticket patient = start(set, "a");

    set.giveUp(impatient, Outcome.TIME_OUT);

    assertThat(impatient.outcome()).isEqualTo(Outcome.TIME_OUT);
    set.giveUp(first, Outcome.CANCELLED);
    assertThat(first.outcome()).isEqualTo(Outcome.EXECUTE);
    set.finish(first);
    assertThat(patient.outcome()).isEqualTo(Outcome.EXECUTE);
    assertThat(counted.waiting).isZero();
    assertThat(counted.rejected).containsExactly(Map.entry("time-out", 1));
  }

  @Test
  void moreSeats_dispatchWhatWaits() {
    QueueSet set = set(TWO_SEATS);
    start(set, "a");
    start(set, "a");
    Ticket waiting = start(set, "a");

    set.configure(TWO_SEATS.withSeats(3));

    assertThat(waiting.outcome()).isEqualTo(Outcome.EXECUTE);
    assertThat(told).containsExactly("a");
  }

  @Test
  void fewerQueues_endWhenTheyAreEmpty() {
    QueueSet set = set(TWO_SEATS);
    Ticket first = start(set, "a");
    Ticket second = start(set, "b");
    Ticket waiting = start(set, "c");

    set.configure(new Limits(2, Excess.REJECT, 0, 0, 0));

    assertThat(set.dump().queues()).hasSizeBetween(1, 3);
    set.finish(first);
    assertThat(waiting.outcome()).isEqualTo(Outcome.EXECUTE);
    set.finish(second);
    set.finish(waiting);
    assertThat(set.dump().queues()).isEmpty();
    assertThat(set.isIdle()).isTrue();
  }

  @Test
  void progress_growsBySeatSecondsOfEachBusyQueue() {
    QueueSet set = set(new Limits(2, Excess.QUEUE, 1, 1, 10));
    pass(Duration.ofSeconds(1));
    assertThat(set.progress()).isZero();
    start(set, "a");
    pass(Duration.ofSeconds(1));
    assertThat(set.progress()).isEqualTo(1.0);
    start(set, "a");
    start(set, "a");
    pass(Duration.ofSeconds(1));
    assertThat(set.progress()).isEqualTo(3.0);
  }

  @Test
  void slowRequestsOfAFlow_countAgainstIt() {
    QueueSet set = set(new Limits(1, Excess.QUEUE, 64, 1, 50));
    Ticket slow = start(set, "slow");
    Ticket slowAgain = start(set, "slow");
    Ticket quick = start(set, "quick");
    pass(Duration.ofSeconds(1));

    set.finish(slow);

    assertThat(quick.outcome()).isEqualTo(Outcome.EXECUTE);
    assertThat(slowAgain.outcome()).isNull();
  }
}
