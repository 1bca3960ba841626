package dev.keelson.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Quantities as apimachinery's resource.Quantity reads and prints them. */
class QuantityTest {

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
    assertThat(Quantity.canonical(quantity)).isEqualTo(quantity);
    assertThat(Quantity.parse(quantity)).hasToString(quantity);
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
    assertThat(Quantity.canonical(in)).isEqualTo(out);
    assertThat(Quantity.canonical(out)).isEqualTo(out);
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
    assertThatThrownBy(() -> Quantity.canonical(in))
        .isInstanceOf(ValueFormatException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void quantity_beyondTheLimits_isRefused() {
    for (String text : List.of("9".repeat(1001), "1e1001", "1e-1001")) {
      assertThatThrownBy(() -> Quantity.parse(text))
          .isInstanceOf(ValueFormatException.class)
          .hasMessage("quantities must have at most 1000 digits and exponents of at most 1000");
    }
    assertThat(Quantity.tryParse("9".repeat(1000))).isPresent();
    assertThat(Quantity.tryParse(" 1")).isEmpty();
  }

  /** The canonical form has the same amount, and is the canonical form of itself. */
  @Test
  void canonicalForm_keepsTheAmount() {
    Random random = new Random(13);
    String[] suffixes = "n u m k M G T P E Ki Mi Gi Ti Pi Ei e3 e-3 E2 e0".split(" ");
    for (int i = 0; i < 5_000; i++) {
      String number = Long.toString(random.nextLong(1L << random.nextInt(1, 50)));
      String fraction = random.nextBoolean() ? "" : "." + random.nextInt(1000);
      String sign = random.nextInt(4) == 0 ? "-" : "";
      String suffix = random.nextInt(5) == 0 ? "" : suffixes[random.nextInt(suffixes.length)];
      Quantity quantity = Quantity.parse(sign + number + fraction + suffix);
      String canonical = quantity.toString();

      assertThat(Quantity.parse(canonical)).isEqualTo(quantity).hasSameHashCodeAs(quantity);
      assertThat(Quantity.canonical(canonical)).isEqualTo(canonical);
      byte[] ascii = canonical.getBytes(StandardCharsets.US_ASCII);
      assertThat(Quantity.isCanonical(ascii, 0, ascii.length)).isTrue();
    }
  }

  @Test
  void arithmetic_keepsTheFormat() {
    assertThat(Quantity.parse("512Mi").plus(Quantity.parse("512Mi"))).hasToString("1Gi");
    assertThat(Quantity.parse("1").minus(Quantity.parse("1500m"))).hasToString("-500m");
    assertThat(Quantity.parse("1e3").plus(Quantity.of(1))).hasToString("1001");
    assertThat(Quantity.of(5).minus(Quantity.of(5))).hasToString("0");
    assertThat(Quantity.parse("1000E").plus(Quantity.of(0))).hasToString("1e21");
    assertThat(Quantity.parse("30Mi")).isGreaterThan(Quantity.parse("30M"));
    assertThat(Quantity.parse("1000m").isInteger()).isFalse();
    assertThat(Quantity.parse("30k").longValue()).isEqualTo(30_000);
    assertThatThrownBy(() -> Quantity.parse("1.5").longValue())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cannot convert value to integer");
  }
}
