package dev.keelson.flow.level;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SeatDemandTest {

  private static long at(int seconds) {
    return Duration.ofSeconds(seconds).toNanos();
  }

  @Test
  void figures_areWeightedByTime() {
    SeatDemand demand = new SeatDemand(0);
    demand.set(10, at(5));
    demand.set(0, at(10));

    SeatDemand.Figures figures = demand.endPeriod(at(10));

    assertThat(figures.average()).isCloseTo(5, within(1e-9));
    assertThat(figures.deviation()).isCloseTo(5, within(1e-9));
    assertThat(figures.highWatermark()).isEqualTo(10);
    assertThat(figures.smoothed()).isCloseTo(10, within(1e-9));
  }

  @Test
  void demandThatIsGone_isForgottenSlowly() {
    SeatDemand demand = new SeatDemand(0);
    demand.set(100, 0);
    demand.endPeriod(at(10));
    demand.set(0, at(10));
    for (int period = 2; period <= 31; period++) {
      demand.endPeriod(at(10 * period));
    }

    assertThat(demand.figures().highWatermark()).isZero();
    assertThat(demand.figures().smoothed()).isCloseTo(50, within(1.0));
  }
}
