package dev.keelson.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UidTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "01234567-89ab-cdef-0123-456789abcdef",
        "01234567-89AB-cdef-0123-456789abcdef",
        "01234567-89ab-cdef-0123_456789abcdef",
        "01234567-89ab-cdef-0123-456789abcdeg",
        "0123456789ab-cdef-0123-456789abcdef01",
        "ffffffff-ffff-ffff-ffff-ffffffffffff"
      })
  void uid_isItsText(String text) {
    assertThat(Uid.of(text)).hasToString(text).isEqualTo(Uid.of(new String(text.toCharArray())));
  }

  @Test
  void uuids_takeNoText_andDiffer() {
    String one = UUID.randomUUID().toString();
    String other = UUID.randomUUID().toString();

    assertThat(Uid.of(one)).isInstanceOf(Uid.Uuid.class).hasToString(one);
    assertThat(Uid.of(one)).isNotEqualTo(Uid.of(other)).isEqualTo(Uid.of(one));
  }
}
