package dev.keelson.storage.etcd;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class ServerVersionTest {

  @ParameterizedTest
  @CsvSource({
    "3.3.27, false",
    "3.4.23, false",
    "3.4.30, false",
    "3.4.31, true",
    "3.5.0, false",
    "3.5.12, false",
    "3.5.13, true",
    "3.6.0, true",
    "3.6.0-rc.1, true",
    "4.0.0, true",
    "2.3.8, false"
  })
  void tellsProgressSoundly_dependsOnTheVersion(String text, boolean sound) {
    ServerVersion version = requireNonNull(ServerVersion.parse(text));

    assertThat(version.tellsProgressSoundly()).isEqualTo(sound);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "3.5", "three", "3.5.x", "9999999999.0.0"})
  void parse_ofSomethingElse_isNull(String text) {
    assertThat(ServerVersion.parse(text)).isNull();
  }

  @Test
  void parse_keepsTheParts() {
    assertThat(ServerVersion.parse("3.5.21")).isEqualTo(new ServerVersion(3, 5, 21));
  }
}
