package dev.keelson.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SharedLabelsTest {

  @Test
  void equalLabels_areOneInstance() {
    Map<String, String> labels = SharedLabels.of(new HashMap<>(Map.of("app", "a", "tier", "b")));

    assertThat(SharedLabels.of(new HashMap<>(Map.of("tier", "b", "app", "a")))).isSameAs(labels);
    assertThat(SharedLabels.of(Map.of("app", "other"))).isEqualTo(Map.of("app", "other"));
  }

  @Test
  void largeAnnotations_areNotKept() {
    Map<String, String> large = Map.of("last-applied-configuration", "x".repeat(65));

    assertThat(SharedLabels.of(new HashMap<>(large)))
        .isEqualTo(large)
        .isNotSameAs(SharedLabels.of(new HashMap<>(large)));
  }
}
