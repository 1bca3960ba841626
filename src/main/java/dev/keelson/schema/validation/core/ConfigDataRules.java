package dev.keelson.schema.validation.core;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.Value;
import java.nio.charset.StandardCharsets;

/** What config maps and secrets have in common: keys, size, and immutability. */
final class ConfigDataRules {
  static final int MAX_BYTES = 1024 * 1024;
  private static final String FROZEN = "field is immutable when `immutable` is set";

  private ConfigDataRules() {}

  static void validateKeys(Value data) {
    MapNode map = data.map();
    for (int i = 0; i < map.size(); i++) {
      String problem = Formats.CONFIG_KEY.apply(map.keyAt(i));
      if (!problem.isEmpty()) {
        data.key(map.keyAt(i)).invalid(map.keyAt(i), problem);
      }
    }
  }

  static long textBytes(Value data) {
    long bytes = 0;
    MapNode map = data.map();
    for (int i = 0; i < map.size(); i++) {
      if (map.valueAt(i) instanceof Node.Text text) {
        String value = text.value();
        // the exact count matters only where the cheap bound could be exceeded
        bytes +=
            value.length() * 3L > MAX_BYTES
                ? value.getBytes(StandardCharsets.UTF_8).length
                : utf8Length(value);
      }
    }
    return bytes;
  }

  static long utf8Length(String text) {
    long bytes = text.length();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        // each half of a surrogate pair counts for two of the four bytes
        bytes += c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
      }
    }
    return bytes;
  }

  /** The bytes that base64 stands for. */
  static long binaryBytes(Value data) {
    long bytes = 0;
    MapNode map = data.map();
    for (int i = 0; i < map.size(); i++) {
      if (map.valueAt(i) instanceof Node.Text text) {
        String value = text.value();
        int padding = value.endsWith("==") ? 2 : value.endsWith("=") ? 1 : 0;
        bytes += value.length() / 4 * 3L - padding;
      }
    }
    return bytes;
  }

  /** Once {@code immutable} is set it stays, and so do {@code fields}. */
  static void validateImmutableData(Value object, Value old, String... fields) {
    if (!old.get("immutable").flag()) {
      return;
    }
    if (!object.get("immutable").flag()) {
      object.get("immutable").forbidden(FROZEN);
    }
    for (String field : fields) {
      Value now = object.get(field);
      if (now.size() + old.get(field).size() > 0 && !now.sameAs(old.get(field))) {
        now.forbidden(FROZEN);
      }
    }
  }
}
