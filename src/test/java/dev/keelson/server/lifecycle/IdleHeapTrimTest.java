package dev.keelson.server.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class IdleHeapTrimTest {

  private final AtomicReference<Duration> used = new AtomicReference<>(Duration.ZERO);
  private final AtomicInteger trims = new AtomicInteger();
  private final IdleHeapTrim trim = new IdleHeapTrim(used::get, trims::incrementAndGet);

  private int trimsAfter(Duration work) {
    used.updateAndGet(work::plus);
    trim.sample();
    return trims.get();
  }

  @Test
  void sample_afterTheStart_trimsOnceWhenIdle() {
    assertThat(trimsAfter(Duration.ofMillis(50))).isZero();
    assertThat(trimsAfter(Duration.ofMillis(3))).isEqualTo(1);
    assertThat(trimsAfter(Duration.ZERO)).isEqualTo(1);
  }

  @Test
  void sample_afterWork_trimsAfterAMinuteWithoutAny() {
    assertThat(trimsAfter(Duration.ZERO)).isEqualTo(1);
    for (int i = 0; i < 10; i++) {
      assertThat(trimsAfter(Duration.ofMillis(200))).isEqualTo(1);
    }
    for (int i = 0; i < 119; i++) {
      assertThat(trimsAfter(Duration.ofMillis(24))).isEqualTo(1);
    }
    // one busy interval begins the minute again
    assertThat(trimsAfter(Duration.ofMillis(26))).isEqualTo(1);
    for (int i = 0; i < 119; i++) {
      assertThat(trimsAfter(Duration.ofMillis(1))).isEqualTo(1);
    }
    assertThat(trimsAfter(Duration.ofMillis(1))).isEqualTo(2);
  }

  @Test
  void sample_afterLittleWork_doesNotTrimAgain() {
    assertThat(trimsAfter(Duration.ZERO)).isEqualTo(1);
    for (int i = 0; i < 249; i++) {
      assertThat(trimsAfter(Duration.ofMillis(4))).isEqualTo(1);
    }
    assertThat(trimsAfter(Duration.ofMillis(4))).isEqualTo(2);
  }
}
