package dev.keelson.schema.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Expected answers: derived by hand from apimachinery's HumanDuration, not captured from a server.
 */
@Timeout(120)
class AgesTest {

  @ParameterizedTest
  @CsvSource({
    "PT-2S, <invalid>",
    "PT-1S, 0s",
    "PT0S, 0s",
    "PT1.9S, 1s",
    "PT-1.9S, 0s",
    "PT119S, 119s",
    "PT120S, 2m",
    "PT125S, 2m5s",
    "PT9M59S, 9m59s",
    "PT10M30S, 10m",
    "PT179M59S, 179m",
    "PT3H, 3h",
    "PT3H5M, 3h5m",
    "PT8H59M, 8h",
    "PT47H59M, 47h",
    "PT48H, 2d",
    "PT53H, 2d5h",
    "PT191H, 7d23h",
    "PT192H, 8d",
    "P729D, 729d",
    "P730D, 2y",
    "P735D, 2y5d",
    "P2919D, 7y364d",
    "P2920D, 8y",
    "P4000D, 10y"
  })
  void between_hasTheUnitsOfKubernetes(Duration age, String text) {
    for (Instant from : List.of(Instant.EPOCH, Instant.ofEpochSecond(-1, 900_000_000))) {
      assertThat(Ages.between(from, from.plus(age))).isEqualTo(text);
    }
  }

  @Test
  void since_noTimeOrANonsensicalOne_isUnknown() {
    assertThat(Ages.since("", Instant.EPOCH)).isEqualTo("<unknown>");
    assertThat(Ages.since("yesterday", Instant.EPOCH)).isEqualTo("<unknown>");
  }
}
