package dev.keelson.schema.codec.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.value.Utf8Order;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Base64, floating point numbers and UTF-8 as Go reads and prints them. */
class TextFormsTest {

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

      assertThat(Integer.signum(Utf8Order.compare(left, right))).isEqualTo(Integer.signum(bytes));
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
