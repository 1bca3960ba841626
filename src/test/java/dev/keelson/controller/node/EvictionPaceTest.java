package dev.keelson.controller.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.testing.CustomTypes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class EvictionPaceTest {

  private final EvictionPace pace =
      new EvictionPace(
          new SilenceSettings(
              Duration.ofSeconds(5),
              Duration.ofSeconds(50),
              Duration.ofMinutes(1),
              /* evictionRate= */ 0.1,
              /* secondaryRate= */ 0.01,
              /* largeZone= */ 50,
              /* unhealthyShare= */ 0.55));
  private long now;

  private static List<Boolean> nodes(int ready, int others) {
    List<Boolean> nodes = new ArrayList<>();
    for (int i = 0; i < ready + others; i++) {
      nodes.add(i < ready);
    }
    return nodes;
  }

  private int taken(Map<String, List<Boolean>> zones, String zone, Duration passed) {
    now += passed.toNanos();
    pace.pass(zones, now);
    int count = 0;
    while (pace.take(zone)) {
      count++;
    }
    return count;
  }

  @Test
  void zoneThatIsWell_losesOneNodeInTenSeconds() {
    Map<String, List<Boolean>> zones = Map.of("a", nodes(8, 2));

    assertThat(taken(zones, "a", Duration.ZERO)).isEqualTo(1);
    assertThat(taken(zones, "a", Duration.ofSeconds(5))).isZero();
    assertThat(taken(zones, "a", Duration.ofSeconds(5))).isEqualTo(1);
    assertThat(taken(zones, "a", Duration.ofSeconds(60))).isEqualTo(1);
  }

  @Test
  void smallZoneWithManyNodesThatAreNotReady_losesNone_aLargeOneFew() {
    assertThat(taken(Map.of("a", nodes(2, 3)), "a", Duration.ZERO)).isZero();
    assertThat(taken(Map.of("b", nodes(20, 40)), "b", Duration.ofSeconds(10))).isEqualTo(1);
    assertThat(taken(Map.of("b", nodes(20, 40)), "b", Duration.ofSeconds(50))).isZero();
    assertThat(taken(Map.of("b", nodes(20, 40)), "b", Duration.ofSeconds(51))).isEqualTo(1);
  }

  @Test
  void zoneWithoutAnyReadyNode_losesThem_unlessAllZonesAreLikeThat() {
    assertThat(taken(Map.of("a", nodes(0, 4), "b", nodes(4, 0)), "a", Duration.ofSeconds(10)))
        .isEqualTo(1);
    assertThat(taken(Map.of("a", nodes(0, 4), "b", nodes(0, 4)), "a", Duration.ofSeconds(100)))
        .isZero();
  }

  @Test
  void zoneOfWhichNoNodeTells_isWell_andSaysNothingOfOthers() {
    Map<String, List<Boolean>> zones = Map.of("a", nodes(0, 0), "b", nodes(0, 4));

    assertThat(taken(zones, "a", Duration.ZERO)).isEqualTo(1);
    assertThat(taken(zones, "b", Duration.ofSeconds(100))).isZero();
  }

  @Test
  void node_tellsOfItsZone_unlessItIsExcluded() {
    String node = "{'metadata':{'name':'n','labels':{'%s':''}}}";

    assertThat(facts(node.formatted("a")).tellsOfItsZone()).isTrue();
    assertThat(facts(node.formatted("node.kubernetes.io/exclude-disruption")).tellsOfItsZone())
        .isFalse();
  }

  private static NodeFacts facts(String node) {
    return NodeFacts.of(new ApiObject(CustomTypes.tree(node)));
  }
}
