package dev.keelson.schema.codec.stored;

import dev.keelson.schema.codec.json.JsonTape.NotCanonicalException;
import java.nio.charset.StandardCharsets;

/**
 * Strings and numbers of compact JSON, read from its bytes. Anything that Go's encoder does not
 * write throws {@link NotCanonicalException}.
 */
final class JsonScalars {

  private static final int MAX_DIGITS = 18;

  private JsonScalars() {}

  /**
   * The integer from {@code from} to before {@code to}.
   *
   * @throws NotCanonicalException if it is none, or of more than 18 digits
   */
  static long integer(byte[] json, int from, int to) {
    int at = from;
    boolean negative = json[at] == '-';
    if (negative) {
      at++;
    }
    int length = to - at;
    if (length < 1 || length > MAX_DIGITS || (json[at] == '0' && (length > 1 || negative))) {
      throw NotCanonicalException.INSTANCE;
    }
    long value = 0;
    for (; at < to; at++) {
      int digit = json[at] - '0';
      if (digit < 0 || digit > 9) {
        throw NotCanonicalException.INSTANCE;
      }
      value = value * 10 + digit;
    }
    return negative ? -value : value;
  }

  /**
   * The number from {@code from} to before {@code to}.
   *
   * @throws NotCanonicalException if it is none, zero or not finite
   */
  static double floating(byte[] json, int from, int to) {
    byte kind = json[from];
    if (kind != '-' && (kind < '0' || kind > '9')) {
      throw NotCanonicalException.INSTANCE;
    }
    double value;
    try {
      value = Double.parseDouble(new String(json, from, to - from, StandardCharsets.US_ASCII));
    } catch (NumberFormatException e) {
      throw NotCanonicalException.INSTANCE;
    }
    if (value == 0 || Double.isInfinite(value)) {
      // the sign of a zero may be lost on the way over a tree
      throw NotCanonicalException.INSTANCE;
    }
    return value;
  }

  /**
   * Writes the content of a string without its escapes.
   *
   * @param scratch takes the content; at least as long as the string
   * @return the length of the content
   * @throws NotCanonicalException if it has an escape that Go's encoder does not write
   */
  static int unescape(byte[] json, int from, int to, byte[] scratch) {
    int size = 0;
    for (int i = from; i < to; i++) {
      byte b = json[i];
      if (b != '\\') {
        scratch[size++] = b;
        continue;
      }
      byte letter = json[++i];
      switch (letter) {
        case '"', '\\', '/' -> scratch[size++] = letter;
        case 'n' -> scratch[size++] = '\n';
        case 't' -> scratch[size++] = '\t';
        case 'r' -> scratch[size++] = '\r';
        case 'b' -> scratch[size++] = '\b';
        case 'f' -> scratch[size++] = '\f';
        case 'u' -> {
          int c = hex(json, i + 1, to);
          i += 4;
          if (c >= 0xD800 && c < 0xE000) {
            // encoders write surrogate pairs without escapes
            throw NotCanonicalException.INSTANCE;
          }
          if (c < 0x80) {
            scratch[size++] = (byte) c;
          } else if (c < 0x800) {
            scratch[size++] = (byte) (0xC0 | c >> 6);
            scratch[size++] = (byte) (0x80 | (c & 0x3F));
          } else {
            scratch[size++] = (byte) (0xE0 | c >> 12);
            scratch[size++] = (byte) (0x80 | (c >> 6 & 0x3F));
            scratch[size++] = (byte) (0x80 | (c & 0x3F));
          }
        }
        default -> throw NotCanonicalException.INSTANCE;
      }
    }
    return size;
  }

  private static int hex(byte[] json, int from, int to) {
    if (from + 4 > to) {
      throw NotCanonicalException.INSTANCE;
    }
    int value = 0;
    for (int i = from; i < from + 4; i++) {
      int digit = Character.digit(json[i], 16);
      if (digit < 0) {
        throw NotCanonicalException.INSTANCE;
      }
      value = value << 4 | digit;
    }
    return value;
  }

  /**
   * Checks that JSON is as Go's encoder writes it, since it is copied as it is.
   *
   * @throws NotCanonicalException if it is not
   */
  static void requireCanonical(byte[] json, int from, int length) {
    for (int i = from; i < from + length; i++) {
      byte b = json[i];
      switch (b) {
        case '\\' -> {
          byte letter = json[++i];
          if (letter == '/' || (letter == 'u' && !escapedByGo(json, i + 1))) {
            throw NotCanonicalException.INSTANCE;
          }
        }
        case '<', '>', '&', (byte) 0xE2 -> throw NotCanonicalException.INSTANCE;
        default -> {}
      }
    }
  }

  /** Whether the four digits are the code of a character that Go's encoder escapes. */
  private static boolean escapedByGo(byte[] json, int at) {
    if (at + 4 > json.length) {
      return false;
    }
    return switch (new String(json, at, 4, StandardCharsets.US_ASCII)) {
      case "003c", "003e", "0026", "2028", "2029" -> true;
      default -> false;
    };
  }
}
