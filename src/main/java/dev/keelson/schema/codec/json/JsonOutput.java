package dev.keelson.schema.codec.json;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Bool;
import dev.keelson.object.Node.Decimal;
import dev.keelson.object.Node.Int;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Null;
import dev.keelson.object.Node.Text;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * JSON in UTF-8 in the form of Go's {@code encoding/json}: no spaces, and {@code <}, {@code >},
 * {@code &} and the line separators U+2028 and U+2029 escaped. Grows as it is written to; used by
 * one thread.
 */
public final class JsonOutput {

  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

  /** Whether the ASCII character needs no escape in a string. */
  private static final boolean[] PLAIN = new boolean[128];

  static {
    Arrays.fill(PLAIN, ' ', 128, true);
    for (char c : "\"\\<>&".toCharArray()) {
      PLAIN[c] = false;
    }
  }

  private static final int EXPECTED_BYTES = 2048;

  private byte[] bytes;
  private int size;

  public JsonOutput(int expected) {
    bytes = new byte[expected];
  }

  /** Compact JSON without a newline at the end. */
  public static byte[] json(Node node) {
    return new JsonOutput(EXPECTED_BYTES).value(node).toBytes();
  }

  /** Discards what has been written. */
  public void clear() {
    size = 0;
  }

  /** How much has been written. */
  public int size() {
    return size;
  }

  /** Truncates the output to a length. */
  public void back(int to) {
    size = to;
  }

  /** Whether what has been written from a place on is {@code json}. */
  public boolean isFrom(int from, byte[] json) {
    return Arrays.equals(bytes, from, size, json, 0, json.length);
  }

  /**
   * Writes a string with its quotes if it is ASCII that stands for itself.
   *
   * @return whether it is; nothing is written if not
   */
  public boolean plain(byte[] ascii, int from, int to) {
    room(to - from + 2);
    byte[] target = bytes;
    int end = size;
    target[end++] = '"';
    for (int i = from; i < to; i++) {
      byte b = ascii[i];
      if (b < 0 || !PLAIN[b]) {
        return false;
      }
      target[end++] = b;
    }
    target[end++] = '"';
    size = end;
    return true;
  }

  public byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  public JsonOutput value(Node node) {
    switch (node) {
      case Text text -> string(text.value());
      case MapNode map -> object(map);
      case Items items -> array(items);
      case Int number -> integer(number.value());
      case Decimal number -> ascii(number.literal());
      case Bool bool -> raw(bool.value() ? TRUE : FALSE);
      case Null _ -> raw(NULL);
    }
    return this;
  }

  private void object(MapNode map) {
    raw('{');
    for (int i = 0; i < map.size(); i++) {
      if (i > 0) {
        raw(',');
      }
      member(map.keyAt(i), map.valueAt(i));
    }
    raw('}');
  }

  /** A key, a colon and a value. */
  public JsonOutput member(String key, Node value) {
    string(key);
    raw(':');
    return value(value);
  }

  private void array(Items items) {
    raw('[');
    boolean first = true;
    for (Node value : items.values()) {
      if (!first) {
        raw(',');
      }
      first = false;
      value(value);
    }
    raw(']');
  }

  public void integer(long value) {
    if (value >= 0 && value < 10) {
      raw((char) ('0' + value));
    } else {
      ascii(Long.toString(value));
    }
  }

  /** A character of ASCII as it is. */
  public JsonOutput raw(char ascii) {
    room(1);
    bytes[size++] = (byte) ascii;
    return this;
  }

  public JsonOutput raw(byte[] json) {
    return raw(json, 0, json.length);
  }

  public JsonOutput raw(byte[] json, int offset, int length) {
    room(length);
    System.arraycopy(json, offset, bytes, size, length);
    size += length;
    return this;
  }

  public JsonOutput ascii(String text) {
    room(text.length());
    for (int i = 0; i < text.length(); i++) {
      bytes[size++] = (byte) text.charAt(i);
    }
    return this;
  }

  /** A string with its quotes. */
  public JsonOutput string(String text) {
    int length = text.length();
    room(length + 2);
    byte[] out = bytes;
    int at = size;
    out[at++] = '"';
    int i = 0;
    while (i < length) {
      char c = text.charAt(i);
      if (c >= 128 || !PLAIN[c]) {
        break;
      }
      out[at++] = (byte) c;
      i++;
    }
    size = at;
    if (i < length) {
      escaped(text, i);
    }
    return raw('"');
  }

  /** The rest of a string from the first character that needs more than a byte. */
  private void escaped(String text, int from) {
    int length = text.length();
    for (int i = from; i < length; i++) {
      char c = text.charAt(i);
      // six bytes at most for this one, and at least one for each that follows
      room(6 + length - i);
      if (c < 128) {
        if (PLAIN[c]) {
          bytes[size++] = (byte) c;
        } else {
          escape(c);
        }
      } else if (c < 0x800) {
        bytes[size++] = (byte) (0xC0 | c >> 6);
        bytes[size++] = (byte) (0x80 | (c & 0x3F));
      } else if (c == '\u2028' || c == '\u2029') {
        unicode(c);
      } else if (!Character.isSurrogate(c)) {
        threeBytes(c);
      } else if (Character.isHighSurrogate(c)
          && i + 1 < length
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        fourBytes(Character.toCodePoint(c, text.charAt(++i)));
      } else {
        // half a character has no UTF-8; Go reads it as the replacement character
        threeBytes('\uFFFD');
      }
    }
  }

  private void threeBytes(char c) {
    bytes[size++] = (byte) (0xE0 | c >> 12);
    bytes[size++] = (byte) (0x80 | (c >> 6 & 0x3F));
    bytes[size++] = (byte) (0x80 | (c & 0x3F));
  }

  private void fourBytes(int point) {
    bytes[size++] = (byte) (0xF0 | point >> 18);
    bytes[size++] = (byte) (0x80 | (point >> 12 & 0x3F));
    bytes[size++] = (byte) (0x80 | (point >> 6 & 0x3F));
    bytes[size++] = (byte) (0x80 | (point & 0x3F));
  }

  private void escape(char c) {
    char letter =
        switch (c) {
          case '"', '\\' -> c;
          case '\n' -> 'n';
          case '\r' -> 'r';
          case '\t' -> 't';
          case '\b' -> 'b';
          case '\f' -> 'f';
          default -> 0;
        };
    if (letter == 0) {
      unicode(c);
    } else {
      bytes[size++] = '\\';
      bytes[size++] = (byte) letter;
    }
  }

  private void unicode(char c) {
    bytes[size++] = '\\';
    bytes[size++] = 'u';
    bytes[size++] = HEX[c >> 12];
    bytes[size++] = HEX[c >> 8 & 0xF];
    bytes[size++] = HEX[c >> 4 & 0xF];
    bytes[size++] = HEX[c & 0xF];
  }

  private void room(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(size, more)));
    }
  }
}
