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
    // not in the midst of work
    assertThat(trimsAfter(Duration.ofMillis(26))).isEqualTo(1);
    assertThat(trimsAfter(Duration.ofMillis(1))).isEqualTo(2);
  }

  @Test
  void sample_withBurstsOfLittleWorkTogether_trims() {
    assertThat(trimsAfter(Duration.ZERO)).isEqualTo(1);
    for (int i = 1; i < 120; i++) {
      // a twentieth of a processor is 250 ms in ten intervals
      assertThat(trimsAfter(Duration.ofMillis(i % 10 == 0 ? 240 : 0))).isEqualTo(1);
    }
    assertThat(trimsAfter(Duration.ZERO)).isEqualTo(2);
    for (int i = 1; i <= 240; i++) {
      assertThat(trimsAfter(Duration.ofMillis(i % 10 == 1 ? 260 : 0))).isEqualTo(2);
    }
  }

  @Test
  void sample_afterALongCollection_waitsForMoreWork() {
    AtomicInteger collections = new AtomicInteger();
    IdleHeapTrim slow =
        new IdleHeapTrim(
            used::get,
            () -> {
              collections.incrementAndGet();
              used.updateAndGet(Duration.ofMillis(100)::plus);
            });
    slow.sample();
    assertThat(collections).hasValue(1);
    for (int i = 0; i < 199; i++) {
      used.updateAndGet(Duration.ofMillis(10)::plus);
      slow.sample();
      assertThat(collections).hasValue(1);
    }
    used.updateAndGet(Duration.ofMillis(10)::plus);
    slow.sample();
    assertThat(collections).hasValue(2);
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
