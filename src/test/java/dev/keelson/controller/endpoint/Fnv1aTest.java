package dev.keelson.controller.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The hash that orders the subsets of Endpoints. */
class Fnv1aTest {

  @ParameterizedTest
  @CsvSource({
    "'', 6c62272e07bb014262b821756295c58d",
    "a, d228cb696f1a8caf78912b704e4a8964",
    "ab, 08809544bbab1be95aa0733055b69a62",
    "abc, a68d622cec8b5822836dbc7977af7f3b",
  })
  void hash_isThatOfGo(String text, String hash) {
    Fnv1a sum = Fnv1a.of(text);

    HexFormat hex = HexFormat.of();
    assertThat(hex.toHexDigits(sum.high()) + hex.toHexDigits(sum.low())).isEqualTo(hash);
  }

  @ParameterizedTest
  @CsvSource({"1, 0, 2, 0", "1, 5, 1, 6", "1, 0, -1, 0", "0, 1, 0, -1"})
  void hashes_areInTheOrderOfUnsignedNumbers(long high, long low, long laterHigh, long laterLow) {
    assertThat(new Fnv1a(high, low)).isLessThan(new Fnv1a(laterHigh, laterLow));
  }
}
