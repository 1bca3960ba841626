package dev.keelson.controller.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PodConditionTest {

  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");

  @Test
  void condition_tellsTheGenerationItIsOf() {
    MapNode condition = PodCondition.of("DisruptionTarget", true, "Why", "because", 7, NOW);

    assertThat(condition)
        .isEqualTo(
            MapNode.ofTexts(Map.of("type", "DisruptionTarget", "status", "True"))
                .with("lastTransitionTime", Node.text("2026-01-02T03:04:05Z"))
                .with("reason", Node.text("Why"))
                .with("message", Node.text("because"))
                .with("observedGeneration", new Node.Int(7)));
  }

  @Test
  void emptyReasonAndUnknownGeneration_areLeftOut() {
    MapNode condition = PodCondition.of("Ready", false, "", "", 0, NOW);

    assertThat(condition.keys()).containsExactlyInAnyOrder("type", "status", "lastTransitionTime");
    assertThat(condition.text("status")).isEqualTo("False");
  }
}
