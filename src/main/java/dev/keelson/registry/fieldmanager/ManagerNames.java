package dev.keelson.registry.fieldmanager;

import dev.keelson.api.FieldCause;
import dev.keelson.value.GoQuote;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The names of field managers: at most 128 bytes of printable characters. */
public final class ManagerNames {

  private static final int MAX_BYTES = 128;

  private ManagerNames() {}

  /** The causes to reject {@code name} in {@code field}, one for each character. */
  public static List<FieldCause> causes(String field, String name) {
    if (isPlain(name)) {
      return List.of();
    }
    List<FieldCause> causes = new ArrayList<>();
    if (name.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
      causes.add(
          new FieldCause(
              "FieldValueTooLong",
              "Too long: may not be more than " + MAX_BYTES + " bytes",
              field));
    }
    int position = 0;
    for (int character : name.codePoints().toArray()) {
      if (!GoQuote.isPrintable(character)) {
        causes.add(
            FieldCause.invalid(
                field,
                name,
                String.format(
                    Locale.ROOT,
                    "invalid character U+%04X (at position %d)",
                    character,
                    position)));
      }
      position += bytes(character);
    }
    return causes;
  }

  /** The beginning of {@code text} as a name: without what a name must not have. */
  public static String of(String text) {
    if (isPlain(text)) {
      return text;
    }
    StringBuilder name = new StringBuilder(MAX_BYTES);
    int length = 0;
    for (int character : text.codePoints().toArray()) {
      if (GoQuote.isPrintable(character)) {
        length += bytes(character);
        if (length > MAX_BYTES) {
          break;
        }
        name.appendCodePoint(character);
      }
    }
    return name.toString();
  }

  /** Whether it is short ASCII, as almost every name is, and so is valid. */
  public static boolean isPlain(String name) {
    if (name.length() > MAX_BYTES) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) < ' ' || name.charAt(i) > '~') {
        return false;
      }
    }
    return true;
  }

  private static int bytes(int character) {
    return character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
  }
}
