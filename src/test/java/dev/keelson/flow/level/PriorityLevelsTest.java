package dev.keelson.flow.level;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.flow.queue.Outcome;
import dev.keelson.flow.queue.Ticket;
import dev.keelson.flow.queue.TimeSource;
import dev.keelson.flow.queue.WorkEstimate;
import dev.keelson.flow.rule.FlowConfiguration;
import dev.keelson.flow.rule.PriorityLevel;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.request.UserInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PriorityLevelsTest {

  private static final RequestInfo PODS =
      RequestInfoResolver.parse("GET", "/api/v1/pods", Map.of());

  private long nanos;
  private final PriorityLevels levels =
      new PriorityLevels(
          600, new TimeSource(() -> nanos, () -> 0, (delay, action) -> {}), FlowMetrics.NONE);

  private static UserInfo user(String name, String... groups) {
    return new UserInfo(name, "", List.of(groups), Map.of());
  }

  private Classified classify(String name, String... groups) {
    return levels.classify(user(name, groups), PODS);
  }

  private Level level(String name) {
    return levels.levels().stream()
        .filter(each -> each.spec().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private Map<String, Integer> seats() {
    Map<String, Integer> seats = new TreeMap<>();
    levels.levels().forEach(each -> seats.put(each.spec().name(), each.current));
    return seats;
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  private static List<Ticket> start(Classified where, int requests) {
    List<Ticket> tickets = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      tickets.add(where.level().queues().start(where.flow(PODS), WorkEstimate.ONE, () -> {}));
    }
    return tickets;
  }

  @Test
  void defaults_shareTheSeatsOfTheServer() {
    // shares 0, 5, 30, 40, 10, 40, 100, 20 of 245
    assertThat(level("workload-low").nominal).isEqualTo(245);
    assertThat(level("workload-low").lower).isEqualTo(24);
    assertThat(level("workload-low").upper).isEqualTo(845);
    assertThat(level("leader-election").nominal).isEqualTo(25);
    assertThat(level("leader-election").lower).isEqualTo(25);
    assertThat(level("catch-all").nominal).isEqualTo(13);
    assertThat(level("exempt").nominal).isZero();
    assertThat(seats().values().stream().mapToInt(Integer::intValue).sum()).isBetween(600, 610);
  }

  @Test
  void widestRequestOfALevel_isAPartOfItsSeats() {
    assertThat(level("workload-low").maxSeats()).isEqualTo(37);
    assertThat(level("leader-election").maxSeats()).isEqualTo(4);
    assertThat(level("global-default").maxSeats()).isEqualTo(8);
    assertThat(level("catch-all").maxSeats()).isZero();
    assertThat(
            new PriorityLevels(10, new TimeSource(() -> 0, () -> 0, (d, a) -> {}), FlowMetrics.NONE)
                .levels())
        .filteredOn(each -> each.spec().queuing() != null)
        .allSatisfy(each -> assertThat(each.maxSeats()).isEqualTo(1));
  }

  @Test
  void busyLevel_borrowsWhatOthersDoNotNeed_andGivesItBack() {
    Classified where = classify("ann", "system:authenticated");
    assertThat(where.level().spec().name()).isEqualTo("global-default");
    List<Ticket> tickets = start(where, 300);
    int before = seats().getOrDefault("global-default", 0);

    pass(PriorityLevels.PERIOD);
    levels.adjust();

    int borrowed = seats().getOrDefault("global-default", 0);
    assertThat(borrowed).isGreaterThan(before).isGreaterThan(where.level().nominal);
    assertThat(seats().get("leader-election")).isGreaterThanOrEqualTo(25);
    assertThat(tickets.stream().filter(each -> each.outcome() == Outcome.EXECUTE).count())
        .isEqualTo(Math.min(300, borrowed));
    for (Ticket ticket : tickets) {
      where.level().queues().finish(ticket);
      where.level().queues().giveUp(ticket, Outcome.CANCELLED);
    }
    for (int minutes = 0; minutes < 60 * 6; minutes++) {
      pass(PriorityLevels.PERIOD);
      levels.adjust();
    }
    assertThat(seats().get("global-default")).isLessThan(borrowed);
  }

  @Test
  void exemptRequests_areTakenFromTheOthers() {
    int before = seats().getOrDefault("workload-low", 0);
    Classified where = classify("root", "system:masters");
    assertThat(start(where, 200)).allMatch(each -> each.outcome() == Outcome.EXECUTE);

    pass(PriorityLevels.PERIOD);
    levels.adjust();

    assertThat(seats().get("exempt")).isEqualTo(200);
    assertThat(seats().getOrDefault("workload-low", 0)).isLessThan(before);
    assertThat(seats().values().stream().mapToInt(Integer::intValue).sum()).isBetween(595, 610);
  }

  @Test
  void levelWhoseObjectIsGone_endsWhenItIsIdle() {
    Classified where = classify("ann", "system:authenticated");
    List<Ticket> tickets = start(where, 1);
    List<PriorityLevel> rest =
        FlowConfiguration.defaults().levels().values().stream()
            .filter(each -> !each.name().equals("global-default"))
            .toList();

    levels.update(FlowConfiguration.of(FlowConfiguration.defaults().schemas(), rest));

    assertThat(classify("ann", "system:authenticated").schema().name()).isEqualTo("catch-all");
    assertThat(level("global-default").isQuiescing()).isTrue();
    levels.adjust();
    assertThat(seats()).containsKey("global-default");
    where.level().queues().finish(tickets.getFirst());
    levels.adjust();
    assertThat(seats()).doesNotContainKey("global-default");
  }

  @Test
  void flowsOfUsers_areDifferent_thoseOfOneAreTheSame() {
    long ann = classify("ann", "system:authenticated").flow("").hash();

    assertThat(classify("ann", "system:authenticated").flow("").hash()).isEqualTo(ann);
    assertThat(classify("bob", "system:authenticated").flow("").hash()).isNotEqualTo(ann);
  }
}
