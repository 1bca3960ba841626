package dev.keelson.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class SharedTextTest {

  private static String copy(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  @Test
  void equalTexts_areOneInstance() {
    String first = SharedText.of(copy("kube-system-of-this-test"));

    assertThat(SharedText.of(copy("kube-system-of-this-test"))).isSameAs(first);
  }

  @Test
  void otherTexts_areThemselves() {
    for (int i = 0; i < 10_000; i++) {
      assertThat(SharedText.of("text-" + i)).isEqualTo("text-" + i);
    }
    String large = "x".repeat(65);
    assertThat(SharedText.of(large)).isSameAs(large);
    assertThat(SharedText.of(copy(large))).isNotSameAs(large);
  }
}
