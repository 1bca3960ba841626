package dev.keelson.value;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/**
 * Percent escapes outside of queries (RFC 3986, section 2.1), as Go's {@code url.PathUnescape}: a
 * plus sign is itself.
 */
public final class PercentEncoding {

  private PercentEncoding() {}

  /**
   * Decodes the escapes of a text as UTF-8.
   *
   * @throws IllegalArgumentException if an escape is malformed
   */
  public static String decode(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /** Whether two hexadecimal digits follow every percent sign, as Go requires. */
  public static boolean isWellFormed(String text) {
    for (int at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 3)) {
      if (at + 2 >= text.length() || !isHex(text.charAt(at + 1)) || !isHex(text.charAt(at + 2))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isHex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }

  /** Decodes the escapes of a text; returns a text with a malformed escape as it is. */
  public static String decodeOrKeep(String text) {
    try {
      return decode(text);
    } catch (IllegalArgumentException e) {
      // written by a client that does not encode
      return text;
    }
  }
}
