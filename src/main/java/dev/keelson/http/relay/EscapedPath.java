package dev.keelson.http.relay;

import java.nio.charset.StandardCharsets;

/**
 * A path as it is sent (RFC 3986, section 3.3). The path that was authorized is encoded again,
 * rather than the client's own spelling passed on, so that the remote server cannot read it as
 * another one.
 */
public final class EscapedPath {

  private static final String PLAIN = "-._~!$&'()*+,;=:@/";
  private static final char[] DIGITS = "0123456789ABCDEF".toCharArray();

  private EscapedPath() {}

  /** Encodes a decoded path; slashes separate its segments. */
  public static String of(String path) {
    StringBuilder escaped = new StringBuilder(path.length() + 16);
    for (byte each : path.getBytes(StandardCharsets.UTF_8)) {
      char letter = (char) (each & 0xff);
      if ((letter >= '0' && letter <= '9')
          || (letter >= 'a' && letter <= 'z')
          || (letter >= 'A' && letter <= 'Z')
          || PLAIN.indexOf(letter) >= 0) {
        escaped.append(letter);
      } else {
        escaped.append('%').append(DIGITS[letter >> 4]).append(DIGITS[letter & 15]);
      }
    }
    return escaped.toString();
  }
}
