package dev.keelson.flow.level;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.keelson.flow.level.SeatAllocation.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SeatAllocationTest {

  private static final double EXACTLY = 1e-6;

  @Test
  void withoutBounds_seatsAreInProportionToTheTargets() {
    SeatAllocation divided =
        SeatAllocation.of(60, List.of(new Claim(10, 0, 1000), new Claim(20, 0, 1000)));

    assertThat(divided.seats().get(0)).isCloseTo(20, within(EXACTLY));
    assertThat(divided.seats().get(1)).isCloseTo(40, within(EXACTLY));
    assertThat(divided.fairFraction()).isCloseTo(2, within(EXACTLY));
  }

  @Test
  void boundsHold_andOthersGetTheRest() {
    SeatAllocation divided =
        SeatAllocation.of(
            100, List.of(new Claim(10, 0, 15), new Claim(10, 10, 1000), new Claim(80, 80, 80)));

    assertThat(divided.seats().get(0)).isCloseTo(10, within(EXACTLY));
    assertThat(divided.seats().get(1)).isCloseTo(10, within(EXACTLY));
    assertThat(divided.seats().get(2)).isCloseTo(80, within(EXACTLY));
  }

  @Test
  void anySolution_keepsTheSumTheBoundsAndTheProportion() {
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < 500; round++) {
      List<Claim> claims = new ArrayList<>();
      double low = 0;
      double high = 0;
      for (int i = 0; i <= random.nextInt(8); i++) {
        double lower = random.nextInt(20);
        double target = lower + random.nextInt(3) * random.nextDouble(30);
        double upper = lower + random.nextInt(50);
        claims.add(new Claim(target, lower, upper));
        low += lower;
        high += upper;
      }
      double sum = Math.ceil(low + random.nextDouble() * (high - low));
      if (sum > high) {
        continue;
      }

      SeatAllocation divided = SeatAllocation.of(sum, claims);

      assertThat(divided.seats().stream().mapToDouble(Double::doubleValue).sum())
          .isCloseTo(sum, within(EXACTLY));
      for (int i = 0; i < claims.size(); i++) {
        Claim claim = claims.get(i);
        assertThat(divided.seats().get(i)).isBetween(claim.lower(), claim.upper());
        assertThat(divided.seats().get(i))
            .isCloseTo(claim.at(divided.fairFraction()), within(EXACTLY));
      }
    }
  }
}
