package dev.keelson.client.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.keelson.client.election.LeaseServer.Fault;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiTransport;
import dev.keelson.object.Node;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Cases of client-go's {@code leaderelection_test.go}, and a model of faults. */
final class LeaderElectorTest {

  private static final ObjectName LEASE = new ObjectName("kube-system", "kube-controller-manager");
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final AtomicLong nanos = new AtomicLong(-5_000_000_000L);
  private final LeaseServer server = new LeaseServer();
  private InstantSource wall = () -> START.plusNanos(nanos.get());

  private static LeaseTerms terms(String identity) {
    return new LeaseTerms(
        LEASE, identity, Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));
  }

  private LeaderElector candidate(String identity) {
    return candidate(identity, () -> Fault.NONE);
  }

  private LeaderElector candidate(String identity, Supplier<Fault> faults) {
    return new LeaderElector(
        new ApiClient(server.transport(faults)),
        terms(identity),
        () -> wall.instant(),
        nanos::get,
        () -> 0.5);
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void step_withoutALease_createsItAndLeads() throws Exception {
    LeaderElector one = candidate("one");

    Duration next = one.step();

    assertThat(next).isEqualTo(Duration.ofSeconds(2));
    assertThat(one.leads()).isTrue();
    assertThat(server.lease().map("spec").text("holderIdentity")).isEqualTo("one");
    assertThat(server.lease().map("spec").get("leaseDurationSeconds")).isEqualTo(new Node.Int(15));
    assertThat(server.lease().map("spec").get("leaseTransitions")).isEqualTo(new Node.Int(0));
    assertThat(server.lease().map("spec").text("acquireTime"))
        .isEqualTo("2025-12-31T23:59:55.000000Z");
  }

  @Test
  void step_besideALeader_waitsForTheDurationSinceTheLastRenewal() throws Exception {
    LeaderElector one = candidate("one");
    LeaderElector two = candidate("two");
    one.step();
    pass(Duration.ofSeconds(1));
    assertThat(two.step()).isEqualTo(Duration.ofMillis(3200));
    pass(Duration.ofSeconds(1));
    one.step();
    two.step();

    pass(Duration.ofMillis(14_999));
    two.step();
    boolean early = two.leads();
    pass(Duration.ofMillis(1));
    two.step();

    assertThat(early).isFalse();
    assertThat(two.leads()).isTrue();
    assertThat(two.leader()).isEqualTo("two");
    assertThat(server.lease().map("spec").get("leaseTransitions")).isEqualTo(new Node.Int(1));
  }

  @Test
  void leads_withoutRenewal_endsAtTheRenewDeadline() throws Exception {
    LeaderElector one = candidate("one");
    one.step();

    pass(Duration.ofMillis(9_999));
    boolean before = one.leads();
    pass(Duration.ofMillis(1));

    assertThat(before).isTrue();
    assertThat(one.leads()).isFalse();
  }

  @Test
  void step_withAWallClockThatJumps_countsTheMonotonicClock() throws Exception {
    LeaderElector one = candidate("one");
    LeaderElector two = candidate("two");
    one.step();
    two.step();

    wall = () -> START.plus(Duration.ofDays(400));
    two.step();
    boolean forward = two.leads();
    wall = () -> START.minus(Duration.ofDays(400));
    one.step();
    two.step();

    assertThat(forward).isFalse();
    assertThat(one.leads()).isTrue();
    assertThat(two.leads()).isFalse();
  }

  @Test
  void release_letsAnotherLeadAtOnce() throws Exception {
    LeaderElector one = candidate("one");
    LeaderElector two = candidate("two");
    one.step();
    two.step();

    one.release();
    boolean still = one.leads();
    two.step();

    assertThat(still).isFalse();
    assertThat(two.leads()).isTrue();
  }

  @Test
  void step_afterALostAnswer_findsItsOwnRenewal() throws Exception {
    List<Fault> faults = new ArrayList<>(List.of(Fault.NONE, Fault.NONE, Fault.LOST_ANSWER));
    LeaderElector one =
        candidate("one", () -> faults.isEmpty() ? Fault.NONE : faults.removeFirst());
    one.step();
    pass(Duration.ofSeconds(2));
    one.step();
    String failure = one.lastFailure();
    pass(Duration.ofSeconds(2));
    one.step();

    assertThat(failure).isEmpty();
    assertThat(one.leads()).isTrue();
    assertThat(server.lease().map("spec").get("leaseTransitions")).isEqualTo(new Node.Int(0));
  }

  @Test
  void step_onAStoreThatStalls_endsWithTheLeadership() throws Exception {
    CountDownLatch stalled = new CountDownLatch(1);
    ApiTransport working = server.transport(() -> Fault.NONE);
    boolean[] stall = {false};
    ApiTransport transport =
        new ApiTransport() {
          @Override
          public Answer send(Request request) throws java.io.IOException, InterruptedException {
            if (stall[0]) {
              stalled.await();
            }
            return working.send(request);
          }

          @Override
          public Answer send(Request request, TimeLimit limit) {
            throw new UnsupportedOperationException();
          }

          @Override
          public EventStream watch(Request request) {
            throw new UnsupportedOperationException();
          }
        };
    LeaseTerms shortTerms =
        new LeaseTerms(
            LEASE, "one", Duration.ofSeconds(1), Duration.ofMillis(300), Duration.ofMillis(50));
    LeaderElector one =
        new LeaderElector(
            new ApiClient(transport),
            shortTerms,
            InstantSource.system(),
            System::nanoTime,
            () -> 0);
    one.step();
    stall[0] = true;

    Duration next = one.step();

    assertThat(one.leads()).isFalse();
    assertThat(next).isEqualTo(Duration.ofMillis(50));
    assertThat(one.lastFailure()).contains("TimeoutException");
  }

  @Test
  void writeTime_endsBeforeOthersMayLead() throws Exception {
    LeaderElector one = candidate("one");
    Duration before = one.writeTime();
    one.step();

    // of the 15 seconds that others wait, one in a hundred is left for clocks of other speed
    assertThat(before).isZero();
    assertThat(one.writeTime()).isEqualTo(Duration.ofMillis(14_850));
    pass(Duration.ofMillis(9_999));
    assertThat(one.writeTime()).isEqualTo(Duration.ofMillis(4_851));
    pass(Duration.ofMillis(1));
    assertThat(one.writeTime()).isZero();
  }

  @Test
  void writeTime_afterTheMachineSlept_isNoneUntilTheNextRenewal() throws Exception {
    LeaderElector one = candidate("one");
    one.step();
    // the monotonic clock stands still meanwhile
    wall = () -> START.plusNanos(nanos.get()).plus(Duration.ofSeconds(10));

    Duration asleep = one.writeTime();
    one.step();

    assertThat(asleep).isZero();
    assertThat(one.writeTime()).isEqualTo(Duration.ofMillis(14_850));
  }

  @Test
  void writeTime_withAWallClockThatIsSetBack_countsTheMonotonicClock() throws Exception {
    LeaderElector one = candidate("one");
    one.step();
    wall = () -> START.minus(Duration.ofDays(400));

    pass(Duration.ofSeconds(4));
    Duration left = one.writeTime();
    pass(Duration.ofSeconds(6));

    assertThat(left).isEqualTo(Duration.ofMillis(10_850));
    assertThat(one.writeTime()).isZero();
  }

  @Test
  void durationThatIsNotWhole_isWrittenAsMoreAndNotLess() throws Exception {
    LeaderElector one =
        new LeaderElector(
            new ApiClient(server.transport(() -> Fault.NONE)),
            new LeaseTerms(
                LEASE,
                "one",
                Duration.ofMillis(15_900),
                Duration.ofMillis(15_500),
                Duration.ofSeconds(2)),
            () -> wall.instant(),
            nanos::get,
            () -> 0.5);

    one.step();

    assertThat(server.lease().map("spec").get("leaseDurationSeconds")).isEqualTo(new Node.Int(16));
  }

  /** A candidate of the model, on a machine of its own. */
  private final class Machine {
    private final LeaderElector elector;

    /** How long it has slept: its monotonic clock stood still. */
    private long sleptNanos;

    Machine(LeaseServer own, Random random, int number) {
      elector =
          new LeaderElector(
              new ApiClient(own.transport(() -> fault(random))),
              terms("c" + number),
              () -> START.plusNanos(nanos.get()),
              () -> nanos.get() - sleptNanos,
              random::nextDouble);
    }
  }

  /** A write that its server will have done at a time at the latest. */
  private record Landing(Machine machine, long atNanos) {}

  @Test
  void random_writesUnderWayAndMachinesThatSleep_neverMixTwoTerms() throws Exception {
    for (long seed = 0; seed < 20; seed++) {
      LeaseServer own = new LeaseServer();
      Random random = new Random(seed);
      List<Machine> machines = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        machines.add(new Machine(own, random, i));
      }
      List<Landing> underWay = new ArrayList<>();
      int writes = 0;
      for (int step = 0; step < 2_000; step++) {
        Machine next = machines.get(random.nextInt(3));
        if (random.nextInt(40) == 0) {
          next.sleptNanos += random.nextLong(30_000_000_000L);
        }
        boolean idle = underWay.stream().noneMatch(write -> write.machine() == next);
        if (idle && random.nextInt(50) == 0) {
          // as the manager does it: only when no write is under way
          next.elector.release();
        } else {
          next.elector.step();
        }
        pass(Duration.ofMillis(random.nextInt(random.nextInt(20) == 0 ? 20_000 : 2_000)));
        underWay.removeIf(write -> write.atNanos() - nanos.get() <= 0);
        for (Machine machine : machines) {
          Duration time = machine.elector.writeTime();
          if (time.isPositive()) {
            assertThat(underWay)
                .as("seed %d, step %d", seed, step)
                .allMatch(write -> write.machine() == machine);
            underWay.add(new Landing(machine, nanos.get() + random.nextLong(time.toNanos())));
            writes++;
          }
        }
      }
      assertThat(writes).isGreaterThan(200);
    }
  }

  @Test
  void random_faultsAndPauses_neverGiveTwoLeaders() throws Exception {
    for (long seed = 0; seed < 20; seed++) {
      LeaseServer own = new LeaseServer();
      Random random = new Random(seed);
      List<LeaderElector> candidates = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        candidates.add(
            new LeaderElector(
                new ApiClient(own.transport(() -> fault(random))),
                terms("c" + i),
                () -> START.plusSeconds(random.nextInt(1_000_000)),
                nanos::get,
                random::nextDouble));
      }
      int led = 0;
      for (int step = 0; step < 1_000; step++) {
        LeaderElector next = candidates.get(random.nextInt(3));
        if (random.nextInt(50) == 0) {
          next.release();
        } else {
          next.step();
        }
        pass(Duration.ofMillis(random.nextInt(random.nextInt(20) == 0 ? 20_000 : 2_000)));

        List<LeaderElector> leaders = candidates.stream().filter(LeaderElector::leads).toList();

        assertThat(leaders).as("seed %d, step %d", seed, step).hasSizeLessThanOrEqualTo(1);
        led += leaders.size();
      }
      assertThat(led).isGreaterThan(100);
    }
  }

  private static Fault fault(Random random) {
    return switch (random.nextInt(10)) {
      case 0 -> Fault.LOST_REQUEST;
      case 1 -> Fault.LOST_ANSWER;
      default -> Fault.NONE;
    };
  }

  @Test
  void terms_thatLetTwoAct_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new LeaseTerms(
                    LEASE,
                    "one",
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(2)))
        .withMessage("leaseDuration must be greater than renewDeadline");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new LeaseTerms(
                    LEASE,
                    "one",
                    Duration.ofSeconds(15),
                    Duration.ofSeconds(2),
                    Duration.ofSeconds(2)))
        .withMessage("renewDeadline must be greater than retryPeriod*1.2");
  }
}
