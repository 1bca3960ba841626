package dev.keelson.api;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** IP addresses as text; no name is ever looked up. Safe for use by any thread. */
public final class IpText {

  private IpText() {}

  /** The address that a text is, or null if it is none. */
  public static @Nullable InetAddress parse(String text) {
    try {
      return InetAddress.ofLiteral(text);
    } catch (IllegalArgumentException e) {
      // not an address: the caller tells the user
      return null;
    }
  }

  /** The canonical form: of IPv6 the longest run of zeros is left out (RFC 5952). */
  public static String of(InetAddress address) {
    byte[] bytes = address.getAddress();
    return bytes.length == 4 ? address.getHostAddress() : six(bytes);
  }

  private static String six(byte[] bytes) {
    int[] groups = new int[8];
    for (int i = 0; i < 8; i++) {
      groups[i] = (bytes[2 * i] & 0xff) << 8 | (bytes[2 * i + 1] & 0xff);
    }
    int start = -1;
    int length = 1;
    for (int i = 0; i < 8; i++) {
      int end = i;
      while (end < 8 && groups[end] == 0) {
        end++;
      }
      if (end - i > length) {
        start = i;
        length = end - i;
      }
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      if (i == start) {
        text.append("::");
        i += length - 1;
      } else {
        if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
          text.append(':');
        }
        text.append(Integer.toHexString(groups[i]));
      }
    }
    return text.toString();
  }
}
