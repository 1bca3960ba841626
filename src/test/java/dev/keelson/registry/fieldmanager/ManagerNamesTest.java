package dev.keelson.registry.fieldmanager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.FieldCause;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ManagerNamesTest {

  @ParameterizedTest
  @ValueSource(strings = {"", "kubectl", "a b", "gr\u00fc\u00dfe", "\ud83d\ude00"})
  void causes_ofNamesOfPrintableCharacters_areNone(String name) {
    assertThat(ManagerNames.causes("fieldManager", name)).isEmpty();
  }

  @Test
  void causes_nameEachCharacterAndTheByteWhereItStands() {
    assertThat(ManagerNames.causes("fieldManager", "\u00fc\n\u200bx"))
        .extracting(FieldCause::summary)
        .containsExactly(
            "fieldManager: Invalid value: \"\u00fc\\n\\u200bx\": invalid character U+000A (at"
                + " position 2)",
            "fieldManager: Invalid value: \"\u00fc\\n\\u200bx\": invalid character U+200B (at"
                + " position 3)");
  }

  @Test
  void causes_countBytes() {
    assertThat(ManagerNames.causes("fieldManager", "a".repeat(128))).isEmpty();
    assertThat(ManagerNames.causes("fieldManager", "\u00fc".repeat(65)))
        .containsExactly(
            new FieldCause(
                "FieldValueTooLong", "Too long: may not be more than 128 bytes", "fieldManager"));
  }

  @Test
  void of_takesWhatANameMayHave() {
    assertThat(ManagerNames.of("cu\trl")).isEqualTo("curl");
    assertThat(ManagerNames.of("a".repeat(127) + "\u00fc" + "b")).isEqualTo("a".repeat(127));
    assertThat(ManagerNames.of("\u00fc".repeat(100))).isEqualTo("\u00fc".repeat(64));
  }
}
