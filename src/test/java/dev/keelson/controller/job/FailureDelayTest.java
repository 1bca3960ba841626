package dev.keelson.controller.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.controller.job.FailureDelay.Terms;
import dev.keelson.controller.workload.JobPod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The wait after failures of pods. */
@Timeout(30)
class FailureDelayTest {

  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private static List<JobPod> ended(int... seconds) {
    return IntStream.of(seconds)
        .mapToObj(
            second ->
                new JobPod(true, -1, 0, 0, NOON.plusSeconds(second), 0, List.of(), List.of(), "1"))
        .toList();
  }

  @Test
  void failures_addUpAfterTheLastSuccess() {
    FailureDelay two = FailureDelay.NONE.after(List.of(), ended(4, 2));

    assertThat(two).isEqualTo(new FailureDelay(2, NOON.plusSeconds(4)));
    assertThat(two.after(List.of(), List.of())).isEqualTo(two);
    assertThat(two.after(List.of(), ended(9))).isEqualTo(new FailureDelay(3, NOON.plusSeconds(9)));
    assertThat(two.after(ended(5), List.of())).isEqualTo(FailureDelay.NONE);
    assertThat(two.after(ended(5), ended(3, 5, 6, 8)))
        .isEqualTo(new FailureDelay(2, NOON.plusSeconds(8)));
    assertThat(two.after(ended(5), ended(3))).isEqualTo(FailureDelay.NONE);
  }

  @ParameterizedTest
  @CsvSource({"0,0,0", "1,0,10", "1,4,6", "1,11,0", "2,0,20", "3,0,40", "7,0,600", "99,100,500"})
  void remaining_doublesUpToTheLongest(int failures, int passedSeconds, int expectedSeconds) {
    FailureDelay delay = new FailureDelay(failures, NOON);

    assertThat(delay.remaining(Terms.DEFAULT, NOON.plusSeconds(passedSeconds)))
        .isEqualTo(Duration.ofSeconds(expectedSeconds));
  }
}
