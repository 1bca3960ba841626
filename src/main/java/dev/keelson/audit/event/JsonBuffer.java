package dev.keelson.audit.event;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;

/**
 * A growing array that JSON is written into, with strings escaped as Go's encoder does: control
 * characters, quotes, backslashes, {@code <}, {@code >}, {@code &} and the two line separators of
 * JavaScript. Not safe for use by several threads.
 */
final class JsonBuffer {

  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  /** Which ASCII characters stand for themselves in a string. */
  private static final boolean[] PLAIN = new boolean[128];

  static {
    for (int c = ' '; c < 127; c++) {
      PLAIN[c] = c != '"' && c != '\\' && c != '<' && c != '>' && c != '&';
    }
    PLAIN[127] = true;
  }

  private byte[] bytes;
  private int size;

  JsonBuffer(int expected) {
    bytes = new byte[expected];
  }

  int size() {
    return size;
  }

  /** Appends ASCII text as it is. */
  @SuppressWarnings("deprecation") // the copy of the low bytes is exact for ASCII, and the fastest
  JsonBuffer raw(String ascii) {
    int length = ascii.length();
    reserve(length);
    ascii.getBytes(0, length, bytes, size);
    size += length;
    return this;
  }

  JsonBuffer raw(byte[] json) {
    return raw(json, 0, json.length);
  }

  JsonBuffer raw(byte[] json, int from, int to) {
    reserve(to - from);
    System.arraycopy(json, from, bytes, size, to - from);
    size += to - from;
    return this;
  }

  JsonBuffer raw(char ascii) {
    reserve(1);
    bytes[size++] = (byte) ascii;
    return this;
  }

  /** Changes the byte at {@code position}, which has been written. */
  void replace(int position, char ascii) {
    bytes[position] = (byte) ascii;
  }

  /** Appends a string in quotes. */
  JsonBuffer string(String value) {
    int length = value.length();
    reserve(length + 2);
    bytes[size++] = '"';
    int at = 0;
    while (at < length) {
      char c = value.charAt(at);
      if (c >= 128 || !PLAIN[c]) {
        break;
      }
      bytes[size++] = (byte) c;
      at++;
    }
    if (at < length) {
      escaped(value, at);
    }
    return raw('"');
  }

  private void escaped(String value, int from) {
    for (int at = from; at < value.length(); at++) {
      char c = value.charAt(at);
      reserve(6);
      if (c < 128) {
        ascii(c);
      } else if (c == '\u2028' || c == '\u2029') {
        raw("\\u202").raw(c == '\u2028' ? '8' : '9');
      } else if (Character.isHighSurrogate(c)
          && at + 1 < value.length()
          && Character.isLowSurrogate(value.charAt(at + 1))) {
        raw(value.substring(at, at + 2).getBytes(StandardCharsets.UTF_8));
        at++;
      } else if (Character.isSurrogate(c)) {
        raw("\\ufffd");
      } else if (c < 0x800) {
        bytes[size++] = (byte) (0xC0 | (c >> 6));
        bytes[size++] = (byte) (0x80 | (c & 0x3F));
      } else {
        bytes[size++] = (byte) (0xE0 | (c >> 12));
        bytes[size++] = (byte) (0x80 | ((c >> 6) & 0x3F));
        bytes[size++] = (byte) (0x80 | (c & 0x3F));
      }
    }
  }

  private void ascii(char c) {
    if (PLAIN[c]) {
      bytes[size++] = (byte) c;
      return;
    }
    bytes[size++] = '\\';
    switch (c) {
      case '"', '\\' -> bytes[size++] = (byte) c;
      case '\n' -> bytes[size++] = 'n';
      case '\r' -> bytes[size++] = 'r';
      case '\t' -> bytes[size++] = 't';
      case '\b' -> bytes[size++] = 'b';
      case '\f' -> bytes[size++] = 'f';
      default -> {
        bytes[size++] = 'u';
        bytes[size++] = '0';
        bytes[size++] = '0';
        bytes[size++] = HEX[c >> 4];
        bytes[size++] = HEX[c & 15];
      }
    }
  }

  /** Appends a metav1.MicroTime: RFC 3339 in UTC with six decimals, in quotes. */
  JsonBuffer microTime(Instant time) {
    LocalDateTime utc =
        LocalDateTime.ofEpochSecond(time.getEpochSecond(), time.getNano(), ZoneOffset.UTC);
    raw('"').digits(utc.getYear(), 4).raw('-').digits(utc.getMonthValue(), 2).raw('-');
    digits(utc.getDayOfMonth(), 2).raw('T').digits(utc.getHour(), 2).raw(':');
    digits(utc.getMinute(), 2).raw(':').digits(utc.getSecond(), 2).raw('.');
    return digits(utc.getNano() / 1000, 6).raw("Z\"");
  }

  private JsonBuffer digits(int value, int count) {
    reserve(count);
    int rest = value;
    for (int at = size + count - 1; at >= size; at--) {
      bytes[at] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    size += count;
    return this;
  }

  byte[] toBytes() {
    return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, more), bytes.length * 2));
    }
  }
}
