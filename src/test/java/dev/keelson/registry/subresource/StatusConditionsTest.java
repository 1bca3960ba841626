package dev.keelson.registry.subresource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests how a condition replaces the one of its type. */
class StatusConditionsTest {

  private static final String SINCE = "lastTransitionTime";
  private static final MapNode NEXT =
      condition("PodScheduled", "True").with(SINCE, Node.text("2026-01-02T00:00:00Z"));

  private static MapNode condition(String type, String status) {
    return MapNode.of("type", Node.text(type)).with("status", Node.text(status));
  }

  private static MapNode set(MapNode... current) {
    MapNode status = MapNode.of("conditions", new Node.Items(List.<Node>of(current)));
    return StatusConditions.set(status, NEXT);
  }

  @Test
  void set_comesInThePlaceOfTheOneOfItsType_orLast() {
    MapNode other = condition("Ready", "False");

    assertThat(set(condition("PodScheduled", "False"), other).items("conditions"))
        .containsExactly(NEXT, other);
    assertThat(set(other).items("conditions")).containsExactly(other, NEXT);
  }

  @Test
  void set_withTheSameStatus_keepsTheTime() {
    MapNode current =
        condition("PodScheduled", "True").with(SINCE, Node.text("2026-01-01T00:00:00Z"));

    assertThat(set(current).items("conditions")).containsExactly(current);
  }

  @Test
  void set_withTheSameStatusAndNoTime_hasNone() {
    MapNode current = condition("PodScheduled", "True");

    assertThat(set(current).items("conditions")).containsExactly(current);
  }
}
