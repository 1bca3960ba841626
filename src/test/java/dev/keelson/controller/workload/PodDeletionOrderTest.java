package dev.keelson.controller.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.client.informer.ObjectName;
import dev.keelson.value.Uid;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Cases of {@code ActivePods} and {@code ActivePodsWithRanks} in Kubernetes' {@code
 * controller_utils_test.go}.
 */
final class PodDeletionOrderTest {

  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private static @Nullable Instant ago(long seconds) {
    return seconds < 0 ? null : NOW.minusSeconds(seconds);
  }

  /** A pod; negative times are unknown. */
  private static PodFacts pod(
      String name,
      String phase,
      String node,
      long readySeconds,
      int cost,
      long restarts,
      long ageSeconds) {
    Instant created = ago(ageSeconds);
    return new PodFacts(
        new ObjectName("default", name),
        Uid.of(name),
        1,
        Map.of(),
        null,
        created == null ? Instant.EPOCH : created,
        false,
        cost,
        phase,
        node,
        ago(readySeconds),
        restarts,
        false,
        "",
        Map.of(),
        null,
        null,
        null);
  }

  @Test
  void order_isByStateCostNodeAndAge() {
    List<PodFacts> expected =
        List.of(
            pod("unscheduled", "Pending", "", -1, 0, 0, 60),
            pod("pending", "Pending", "n1", -1, 0, 0, 60),
            pod("unknown", "Unknown", "n1", -1, 0, 0, 60),
            pod("not-ready-restarted", "Running", "n1", -1, 0, 5, 60),
            pod("not-ready", "Running", "n1", -1, 0, 0, 60),
            pod("cheap", "Running", "n2", 1_000_000, -10, 0, 2_000_000),
            pod("crowded", "Running", "n1", 1_000_000, 0, 0, 2_000_000),
            pod("ready-a-minute", "Running", "n2", 60, 0, 0, 2_000_000),
            pod("ready-restarted", "Running", "n2", 1_000_000, 0, 3, 2_000_000),
            pod("young", "Running", "n2", 1_000_000, 0, 0, 1_000_001),
            pod("dear", "Running", "n1", 60, 100, 0, 60));
    List<PodFacts> shuffled = new ArrayList<>(expected);
    Collections.shuffle(shuffled, new Random(1));

    shuffled.sort(new PodDeletionOrder(expected, NOW));

    assertThat(shuffled)
        .extracting(PodFacts::uid)
        .containsExactlyElementsOf(expected.stream().map(PodFacts::uid).toList());
  }

  @Test
  void agesOfOneMagnitude_areEqual() {
    PodFacts one = pod("b", "Running", "n", 3600, 0, 0, 7200);
    PodFacts other = pod("a", "Running", "n", 3700, 0, 9, 7200);

    PodDeletionOrder order = new PodDeletionOrder(List.of(), NOW);

    // neither the time nor the restarts decide, but the uid
    assertThat(order.compare(other, one)).isNegative();
    assertThat(order.compare(one, other)).isPositive();
  }

  @Test
  void podThatDoesNotTellSinceWhenItIsReady_isTheFirstOfThoseThatAre() {
    PodFacts unknown = ready("unknown", Instant.EPOCH, 0, 2_000_000);
    PodFacts young = ready("young", NOW, 9, 1);

    for (PodDeletionOrder order :
        List.of(new PodDeletionOrder(List.of(), NOW), PodDeletionOrder.ofJob())) {
      assertThat(order.compare(unknown, young)).isNegative();
      assertThat(order.compare(young, unknown)).isPositive();
    }
  }

  @Test
  void podsOfAJob_goByTheirExactTimes_whateverTheyCost() {
    PodFacts cheap = pod("cheap", "Running", "n", 3700, -10, 0, 7200);
    PodFacts restarted = pod("restarted", "Running", "n", 3650, 0, 9, 7200);
    PodFacts young = pod("young", "Running", "n", 3650, 0, 0, 7100);
    PodFacts latest = pod("latest", "Running", "n", 3600, 100, 0, 7200);
    List<PodFacts> pods = new ArrayList<>(List.of(cheap, young, latest, restarted));

    pods.sort(PodDeletionOrder.ofJob());

    assertThat(pods).containsExactly(latest, restarted, young, cheap);
  }

  private static PodFacts ready(String name, Instant since, long restarts, long ageSeconds) {
    PodFacts pod = pod(name, "Running", "n", 1, 0, restarts, ageSeconds);
    return new PodFacts(
        pod.name(),
        pod.id(),
        1,
        Map.of(),
        null,
        pod.created(),
        false,
        0,
        pod.phase(),
        pod.node(),
        since,
        restarts,
        false,
        "",
        Map.of(),
        null,
        null,
        null);
  }

  @Test
  void available_isReadyForLongEnough() {
    PodFacts pod = pod("a", "Running", "n", 10, 0, 0, 20);

    assertThat(pod.available(Duration.ZERO, NOW)).isTrue();
    assertThat(pod.available(Duration.ofSeconds(10), NOW)).isTrue();
    assertThat(pod.available(Duration.ofSeconds(11), NOW)).isFalse();
    assertThat(pod("b", "Running", "n", -1, 0, 0, 20).available(Duration.ZERO, NOW)).isFalse();
    PodFacts unknown = ready("c", Instant.EPOCH, 0, 20);
    assertThat(unknown.available(Duration.ZERO, NOW)).isTrue();
    assertThat(unknown.available(Duration.ofSeconds(1), NOW)).isFalse();
  }
}
