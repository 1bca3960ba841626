package dev.keelson.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class SharedInstancesTest {

  private final SharedInstances<List<String>> shared = new SharedInstances<>();

  /** A value of its own instance each time. */
  private static List<String> value(String text) {
    return List.of(text, text + "!");
  }

  @Test
  void equalValues_areOneInstance() {
    List<String> first = shared.of(value("a"));

    assertThat(shared.of(value("a"))).isSameAs(first);
    assertThat(shared.of(value("b"))).isEqualTo(value("b"));
  }

  @Test
  void valueThatNobodyHolds_isNotKept() {
    WeakReference<List<String>> large = new WeakReference<>(shared.of(value("x".repeat(1 << 20))));

    // the test's timeout ends it if the value is kept
    while (large.get() != null) {
      System.gc();
      Thread.onSpinWait();
    }
  }
}
