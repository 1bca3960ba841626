package dev.keelson.controller.resourceclaim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PodClaimSyncTest {

  @ParameterizedTest
  @CsvSource({
    "1, 1, p-e-",
    "50, 5, 50 5",
    "60, 20, 41 13",
    "200, 63, 43 13",
  })
  void base_leavesRoomForTheRandomCharacters(int pod, int entry, String expected) {
    String base = PodClaimSync.base("p".repeat(pod), "e".repeat(entry));

    assertThat(base.length()).isLessThanOrEqualTo(57);
    if (expected.contains(" ")) {
      String[] lengths = expected.split(" ", -1);
      assertThat(base)
          .startsWith("p".repeat(Integer.parseInt(lengths[0])) + "-")
          .contains("-" + "e".repeat(Integer.parseInt(lengths[1])));
    } else {
      assertThat(base).isEqualTo(expected);
    }
  }
}
