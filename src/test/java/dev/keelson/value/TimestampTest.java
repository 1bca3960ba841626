package dev.keelson.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.value.Timestamp.Precision;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RFC 3339 times as Go reads and prints them. */
class TimestampTest {

  @ParameterizedTest
  @CsvSource({
    "2020-02-29T23:59:59Z, 2020-02-29T23:59:59Z, 2020-02-29T23:59:59.000000Z",
    "2020-01-01T00:00:00.1234567Z, 2020-01-01T00:00:00Z, 2020-01-01T00:00:00.123456Z",
    "'2020-01-01T00:00:00,5Z', 2020-01-01T00:00:00Z, 2020-01-01T00:00:00.500000Z",
    "2020-01-01T00:00:00+00:00, 2020-01-01T00:00:00Z, 2020-01-01T00:00:00.000000Z",
    "2020-01-01T01:30:00+01:45, 2019-12-31T23:45:00Z, 2019-12-31T23:45:00.000000Z",
    "2020-12-31T23:30:00-01:00, 2021-01-01T00:30:00Z, 2021-01-01T00:30:00.000000Z",
    "9999-12-31T23:59:59Z, 9999-12-31T23:59:59Z, 9999-12-31T23:59:59.000000Z"
  })
  void time_isPrintedInUtc(String in, String seconds, String micros) {
    assertThat(Timestamp.canonical(in, Precision.SECONDS)).isEqualTo(seconds);
    assertThat(Timestamp.canonical(in, Precision.MICROS)).isEqualTo(micros);
    assertThat(Timestamp.canonical(seconds, Precision.SECONDS)).isSameAs(seconds);
    assertThat(Timestamp.canonical(micros, Precision.MICROS)).isSameAs(micros);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          2020-13-01T00:00:00Z | parsing time "2020-13-01T00:00:00Z": month out of range
          2021-02-29T00:00:00Z | parsing time "2021-02-29T00:00:00Z": day out of range
          2020-01-01T24:00:00Z | parsing time "2020-01-01T24:00:00Z": hour out of range
          2020-01-01T00:00:60Z | parsing time "2020-01-01T00:00:60Z": second out of range
          2020-01-01T00:00:00Zz | parsing time "2020-01-01T00:00:00Zz": extra text: "z"
          2020-01-01 00:00:00Z | parsing time "2020-01-01 00:00:00Z" as "2006-01-02T15:04:05Z07:00": cannot parse " 00:00:00Z" as "T"
          2020-01-01T00:00:00  | parsing time "2020-01-01T00:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"
          2020-01-01T00:00:00+0100 | parsing time "2020-01-01T00:00:00+0100" as "2006-01-02T15:04:05Z07:00": cannot parse "+0100" as "Z07:00"
          20-01-01             | parsing time "20-01-01" as "2006-01-02T15:04:05Z07:00": cannot parse "20-01-01" as "2006"
          ``                   | parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"
          9999-12-31T23:59:59-01:00 | parsing time "9999-12-31T23:59:59-01:00": year outside of range [0,9999]
          """)
  void time_thatIsNone_isRefusedInGosWords(String in, String message) {
    assertThatThrownBy(() -> Timestamp.canonical(in, Precision.SECONDS))
        .isInstanceOf(ValueFormatException.class)
        .hasMessage(message);
  }

  @Test
  void time_printedAndRead_isTheSame() {
    Random random = new Random(11);
    for (int i = 0; i < 2_000; i++) {
      long second = random.nextLong(-62_135_596_800L, 253_402_300_800L);
      int nanos = random.nextInt(1_000_000) * 1_000;
      String text = Timestamp.print(second, nanos, Precision.MICROS);

      assertThat(Timestamp.parse(text, Precision.MICROS)).isEqualTo(new Timestamp(second, nanos));
      assertThat(Timestamp.parse(text).toInstant()).isEqualTo(Instant.ofEpochSecond(second, nanos));
      assertThat(Timestamp.canonical(text, Precision.MICROS)).isSameAs(text);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2020-02-29T23:59:59Z, true",
    "2020-02-29T23:59:59.000001Z, true",
    "2021-02-29T23:59:59Z, false",
    "2020-13-01T00:00:00Z, false",
    "2020-01-01T24:00:00Z, false",
    "2020-01-01T00:00:00+00:00, false",
    "2020-01-01, false",
    "2020-01-01T00:00:0xZ, false"
  })
  void bytes_giveTheSecondsOfAPrintedTime(String text, boolean printed) {
    byte[] ascii = (' ' + text).getBytes(StandardCharsets.US_ASCII);

    assertThat(Timestamp.epochSecond(ascii, 1, ascii.length))
        .isEqualTo(printed ? Timestamp.parse(text).epochSecond() : Long.MIN_VALUE);
  }

  @Test
  void offset_isTakenOff() {
    assertThat(Timestamp.parse("2020-01-01T01:30:00.5+01:45"))
        .isEqualTo(Timestamp.parse("2019-12-31T23:45:00.5Z"))
        .isLessThan(Timestamp.parse("2019-12-31T23:45:01Z"))
        .hasToString("2019-12-31T23:45:00.500000Z");
  }
}
