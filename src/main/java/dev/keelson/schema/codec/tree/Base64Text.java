package dev.keelson.schema.codec.tree;

import dev.keelson.schema.codec.tree.DecodeException.Fault;
import java.util.Base64;

/**
 * Bytes in base64 with the standard alphabet and padding, as Go's {@code encoding/json} reads.
 * Checked by hand, since the JDK's decoder accepts missing padding and does not tell which
 * character is illegal.
 */
final class Base64Text {

  private Base64Text() {}

  /**
   * {@code text} in the form in which its bytes are printed; the same instance if it has it.
   *
   * @throws DecodeException if it is no base64
   */
  static String normalise(String text) {
    String clean = text;
    if (clean.indexOf('\n') >= 0 || clean.indexOf('\r') >= 0) {
      clean = clean.replace("\n", "").replace("\r", "");
    }
    int padding = padding(clean);
    int digits = clean.length() - padding;
    int last = 0;
    for (int i = 0; i < digits; i++) {
      last = sextet(clean.charAt(i));
      if (last < 0) {
        throw illegal(i);
      }
    }
    if (clean.length() % 4 != 0 || (padding > 0 && digits % 4 != 4 - padding)) {
      throw illegal(clean.length());
    }
    // bits that belong to no byte are dropped by a reader, so they must not be printed either
    int unused = padding == 2 ? 0xF : padding == 1 ? 0x3 : 0;
    return (last & unused) == 0
        ? clean
        : Base64.getEncoder().encodeToString(Base64.getDecoder().decode(clean));
  }

  private static int padding(String text) {
    int length = text.length();
    if (length == 0 || text.charAt(length - 1) != '=') {
      return 0;
    }
    return length > 1 && text.charAt(length - 2) == '=' ? 2 : 1;
  }

  private static int sextet(char c) {
    if (c >= 'A' && c <= 'Z') {
      return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
      return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
      return c - '0' + 52;
    }
    return c == '+' ? 62 : c == '/' ? 63 : -1;
  }

  private static DecodeException illegal(int at) {
    return new DecodeException(Fault.SHAPE, "illegal base64 data at input byte " + at);
  }
}
