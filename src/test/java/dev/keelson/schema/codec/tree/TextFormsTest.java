package dev.keelson.schema.codec.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.tree.TimeText.Precision;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Times, durations, quantities, base64 and floating point numbers as Go reads and prints them. */
class TextFormsTest {

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
    assertThat(TimeText.normalise(in, Precision.SECONDS)).isEqualTo(seconds);
    assertThat(TimeText.normalise(in, Precision.MICROS)).isEqualTo(micros);
    assertThat(TimeText.normalise(seconds, Precision.SECONDS)).isSameAs(seconds);
    assertThat(TimeText.normalise(micros, Precision.MICROS)).isSameAs(micros);
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
    assertThatThrownBy(() -> TimeText.normalise(in, Precision.SECONDS))
        .isInstanceOf(DecodeException.class)
        .hasMessage(message);
  }

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
    assertThat(DurationText.normalise(in)).isEqualTo(printed);
    assertThat(DurationText.normalise(printed)).isEqualTo(printed);
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
          """)
  void duration_thatIsNone_isRefusedInGosWords(String in, String message) {
    assertThatThrownBy(() -> DurationText.normalise(in))
        .isInstanceOf(DecodeException.class)
        .hasMessage(message);
  }

  @Test
  void duration_printedAndRead_isTheSame() {
    Random random = new Random(7);
    for (int i = 0; i < 2_000; i++) {
      long nanos = random.nextLong() >> random.nextInt(62);

      assertThat(DurationText.nanos(DurationText.print(nanos))).isEqualTo(nanos);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "1",
        "-1",
        "+1",
        "5",
        "100",
        "100m",
        "1Ki",
        "3Mi",
        "1500Mi",
        "1Ei",
        "1E",
        "1e3",
        "1k",
        "1n",
        "1u",
        "1.",
        "007",
        "1.500",
        "-3Gi",
        "999999",
        "12345678901234567890"
      })
  void quantity_thatIsCanonicalOrPassesForIt_isKept(String quantity) {
    assertThat(QuantityText.check(quantity)).isEqualTo(quantity);
    assertThat(QuantityText.check(" " + quantity + "\n")).isEqualTo(quantity);
  }

  @ParameterizedTest
  @CsvSource({
    "0.5, 500m",
    ".5, 500m",
    "1.0, 1",
    "-0.5, -500m",
    "+0.5, 500m",
    "0.25, 250m",
    "1000m, 1",
    "1500m, 1500m",
    "2000m, 2",
    "0.1m, 100u",
    "1000, 1k",
    "1000000, 1M",
    "1500000, 1500k",
    "1024, 1024",
    "1024Mi, 1Gi",
    "2048Ki, 2Mi",
    "512Mi, 512Mi",
    "1.5Gi, 1536Mi",
    "0.5Gi, 512Mi",
    "0.5Ki, 512",
    "0.1Ki, 102400m",
    "0.0001Ki, 102400u",
    "-1024Mi, -1Gi",
    "0Gi, 0",
    "00.10Gi, 107374182400m",
    "1e4, 10e3",
    "1E-3, 1E-3",
    "1e+3, 1e+3",
    "10e2, 1e3",
    "1e-1, 100e-3",
    "0e3, 0",
    "0.0000000001, 1n",
    "1000E, 1000E",
    "100Ei, 9223372036854775807"
  })
  void quantity_isReducedAsInKubernetes(String in, String out) {
    assertThat(QuantityText.check(in)).isEqualTo(out);
    assertThat(QuantityText.check(out)).isEqualTo(out);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``     | quantities must match
          1 Gi   | quantities must match
          1.2.3  | quantities must match
          1x     | quantities must match
          1Gi1x  | quantities must match
          --1    | unable to parse quantity's suffix
          1Kii   | unable to parse quantity's suffix
          1KM    | unable to parse quantity's suffix
          1mi    | unable to parse quantity's suffix
          1Gi3   | unable to parse quantity's suffix
          Gi     | unable to parse numeric part of quantity
          .      | unable to parse numeric part of quantity
          -      | unable to parse
          """)
  void quantity_thatIsNone_isRefused(String in, String message) {
    assertThatThrownBy(() -> QuantityText.check(in))
        .isInstanceOf(DecodeException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void base64_ofAnyBytes_isKept() {
    Random random = new Random(3);
    for (int length = 0; length < 200; length++) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      String text = Base64.getEncoder().encodeToString(bytes);

      assertThat(Base64Text.normalise(text)).isSameAs(text);
      assertThat(Base64Text.normalise(text.replaceAll("(.{4})", "$1\r\n"))).isEqualTo(text);
    }
  }

  @Test
  void base64_withUnusedBits_isPrintedWithoutThem() {
    assertThat(Base64Text.normalise("AB==")).isEqualTo("AA==");
    assertThat(Base64Text.normalise("AAF=")).isEqualTo("AAE=");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"A", "AA", "AAA", "AA=", "A===", "====", "=", "AA==AAAA", "A-_A", "A A=", "é==="})
  void base64_thatIsNone_isRefused(String text) {
    assertThatThrownBy(() -> Base64Text.normalise(text))
        .isInstanceOf(DecodeException.class)
        .hasMessageStartingWith("illegal base64 data at input byte ");
  }

  @ParameterizedTest
  @CsvSource({
    "1.0, 1",
    "-1.5, -1.5",
    "0.1, 0.1",
    "1e20, 100000000000000000000",
    "1e21, 1e+21",
    "1.5e300, 1.5e+300",
    "0.000001, 0.000001",
    "0.0000001, 1e-7",
    "123456789.125, 123456789.125",
    "-0.0, -0"
  })
  void double_isPrintedAsGoDoes(String in, String printed) {
    byte[] json = ObjectWriter.json(DoubleText.node(Double.parseDouble(in)));

    assertThat(new String(json, StandardCharsets.US_ASCII)).isEqualTo(printed);
  }

  @Test
  void utf8_order_isThatOfTheBytes() {
    Random random = new Random(5);
    int[] points = {'a', 'é', 0xFFFD, 0xE000, 0xD7FF, 0x1F600, 0x10FFFF};
    for (int i = 0; i < 5_000; i++) {
      String left = randomText(random, points);
      String right = randomText(random, points);
      int bytes =
          java.util.Arrays.compareUnsigned(
              left.getBytes(StandardCharsets.UTF_8), right.getBytes(StandardCharsets.UTF_8));

      assertThat(Integer.signum(Utf8.compare(left, right))).isEqualTo(Integer.signum(bytes));
    }
  }

  private static String randomText(Random random, int[] points) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      text.appendCodePoint(points[random.nextInt(points.length)]);
    }
    return text.toString();
  }
}
