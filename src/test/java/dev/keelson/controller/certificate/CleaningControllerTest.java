package dev.keelson.controller.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.controller.certificate.RequestFacts.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CleaningControllerTest {

  private static final Instant NOW = Instant.parse("2026-05-01T00:00:00Z");

  @ParameterizedTest
  @CsvSource({
    // condition, minutes since it or since the creation, issued, minutes until the end, deleted
    "'', 1439, false, 0, false",
    "'', 1441, false, 0, true",
    "Approved, 59, true, 600, false",
    "Approved, 61, true, 600, true",
    "Approved, 5, true, -1, true",
    "Approved, 6000, false, 0, false",
    "Denied, 59, false, 0, false",
    "Denied, 61, false, 0, true",
    "Failed, 61, false, 0, true",
    "Other, 6000, false, 0, false",
  })
  void request_isDeletedAfterItsTime(
      String type, int minutes, boolean issued, int left, boolean over) {
    Instant then = NOW.minus(Duration.ofMinutes(minutes));
    RequestFacts request =
        new RequestFacts(
            "a",
            "example.com/any",
            then,
            type.isEmpty() ? List.of() : List.of(new Condition(type, "True", then)),
            issued,
            issued ? NOW.plus(Duration.ofMinutes(left)) : null);

    assertThat(CleaningController.isOver(request, NOW)).isEqualTo(over);
  }

  @ParameterizedTest
  @CsvSource({"Approved", "Denied"})
  void conditionWithoutTime_isNotOld(String type) {
    RequestFacts request =
        new RequestFacts(
            "a",
            "example.com/any",
            NOW,
            List.of(new Condition(type, "True", Instant.EPOCH)),
            true,
            null);

    assertThat(CleaningController.isOver(request, NOW)).isFalse();
  }
}
