package dev.keelson.config.flag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.value.Cidr;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValuesTest {

  @ParameterizedTest
  @CsvSource({
    "0, PT0S",
    "0s, PT0S",
    "300ms, PT0.3S",
    "1m30s, PT1M30S",
    "1.5h, PT1H30M",
    ".5s, PT0.5S",
    "2us, PT0.000002S",
    "2µs, PT0.000002S",
    "1h2m3s4ms5ns, PT1H2M3.004000005S"
  })
  void duration_isReadAsGoWritesIt(String text, Duration expected) {
    assertThat(Values.duration(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "5x", "-1s", "1s ", "s", "1d", "99999999h"})
  void duration_malformed_isRefused(String text) {
    assertThatThrownBy(() -> Values.duration(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/24, 1, 10.0.0.1",
    "10.0.0.77/24, 255, 10.0.0.255",
    "10.0.255.0/16, 300, 10.0.1.44",
    "fd00::/108, 1, fd00:0:0:0:0:0:0:1",
    "255.255.255.0/24, 255, 255.255.255.255"
  })
  void range_countsItsAddresses(String range, long index, String expected) {
    assertThat(Values.range(range).get(index).address().getHostAddress()).isEqualTo(expected);
  }

  @Test
  void range_endsAtItsSize() {
    Cidr range = Values.range("10.0.0.0/24");

    assertThatThrownBy(() -> range.get(256)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.0", "10.0.0.0/33", "x/8", "10.0.0.0/-1"})
  void range_malformed_isRefused(String text) {
    assertThatThrownBy(() -> Values.range(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
