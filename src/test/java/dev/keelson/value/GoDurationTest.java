package dev.keelson.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Durations as Go reads and prints them; the cases are those of the tests of its package time. */
class GoDurationTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0s",
    "1h, 1h0m0s",
    "90m, 1h30m0s",
    "60s, 1m0s",
    "1.5h, 1h30m0s",
    "1h15m30.918273645s, 1h15m30.918273645s",
    "+5m, 5m0s",
    "-5m, -5m0s",
    ".5s, 500ms",
    "1500us, 1.5ms",
    "1500µs, 1.5ms",
    "100ns, 100ns",
    "1.1us, 1.1µs",
    "2540400h, 2540400h0m0s"
  })
  void duration_isPrintedAsGoDoes(String in, String printed) {
    assertThat(GoDuration.parse(in).toString()).isEqualTo(printed);
    assertThat(GoDuration.parse(printed).toString()).isEqualTo(printed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``  | time: invalid duration ""
          -   | time: invalid duration "-"
          1   | time: missing unit in duration "1"
          1d  | time: unknown unit "d" in duration "1d"
          .s  | time: invalid duration ".s"
          9999999999h | time: invalid duration "9999999999h"
          1..s | time: missing unit in duration "1..s"
          1s2 | time: missing unit in duration "1s2"
          s   | time: invalid duration "s"
          +-1s | time: invalid duration "+-1s"
          1 s | time: unknown unit " s" in duration "1 s"
          9223372036854775808ns | time: invalid duration "9223372036854775808ns"
          """)
  void duration_thatIsNone_isRefusedInGosWords(String in, String message) {
    assertThatThrownBy(() -> GoDuration.parse(in))
        .isInstanceOf(ValueFormatException.class)
        .hasMessage(message);
  }

  @Test
  void duration_printedAndRead_isTheSame() {
    Random random = new Random(7);
    for (int i = 0; i < 2_000; i++) {
      long nanos = random.nextLong() >> random.nextInt(62);

      assertThat(GoDuration.parse(new GoDuration(nanos).toString()).nanos()).isEqualTo(nanos);
    }
  }

  @Test
  void duration_atTheEndsOfItsRange_isRead() {
    assertThat(GoDuration.parse("9223372036854775807ns").nanos()).isEqualTo(Long.MAX_VALUE);
    assertThat(GoDuration.parse("-9223372036854775808ns").nanos()).isEqualTo(Long.MIN_VALUE);
    assertThat(GoDuration.parse("-2562047h47m16.854775808s").nanos()).isEqualTo(Long.MIN_VALUE);
    assertThat(new GoDuration(Long.MIN_VALUE)).hasToString("-2562047h47m16.854775808s");
  }

  @ParameterizedTest
  @CsvSource({
    "0.3333333333333333333h, 1200000000000",
    "39h9m14.425s, 140954425000000",
    "0.100000000000000000000h, 360000000000",
    "0.830103483285477580700h, 2988372539827",
    "9007199254740993ns, 9007199254740993",
    "1.9ns, 1"
  })
  void fraction_isCutOffAsInGo(String text, long nanos) {
    assertThat(GoDuration.parse(text).nanos()).isEqualTo(nanos);
  }
}
