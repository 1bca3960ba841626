package dev.keelson.flow;

import static dev.keelson.flow.InFlightLimiter.Sort.MUTATING;
import static dev.keelson.flow.InFlightLimiter.Sort.READ_ONLY;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class InFlightLimiterTest {

  @Test
  void enter_aboveTheLimit_isRefusedUntilSomebodyLeaves() {
    InFlightLimiter limiter = new InFlightLimiter(2, 1);

    assertThat(limiter.enter(READ_ONLY)).isTrue();
    assertThat(limiter.enter(READ_ONLY)).isTrue();
    assertThat(limiter.enter(READ_ONLY)).isFalse();
    assertThat(limiter.taken(READ_ONLY)).isEqualTo(2);

    limiter.leave(READ_ONLY);

    assertThat(limiter.taken(READ_ONLY)).isEqualTo(1);
    assertThat(limiter.enter(READ_ONLY)).isTrue();
  }

  @Test
  void enter_countsTheTwoSortsApart() {
    InFlightLimiter limiter = new InFlightLimiter(1, 1);

    assertThat(limiter.enter(READ_ONLY)).isTrue();
    assertThat(limiter.enter(MUTATING)).isTrue();
    assertThat(limiter.enter(MUTATING)).isFalse();
  }

  @Test
  void enter_withLimitZero_isNeverRefused() {
    InFlightLimiter limiter = new InFlightLimiter(0, 0);

    for (int i = 0; i < 1000; i++) {
      assertThat(limiter.enter(READ_ONLY)).isTrue();
    }
    limiter.leave(READ_ONLY);

    assertThat(limiter.taken(READ_ONLY)).isZero();
  }
}
