package dev.keelson.schema.structural.validation;

import dev.keelson.value.Cidr;
import dev.keelson.value.IpAddress;

/**
 * Addresses of networks. Numbers of IPv4 addresses may have leading zeros, as older versions of Go
 * allowed.
 */
final class NetworkFormats {

  private NetworkFormats() {}

  static boolean isIpv4(String text) {
    return text.indexOf('.') >= 0 && isAddress(text);
  }

  static boolean isIpv6(String text) {
    return text.indexOf(':') >= 0 && isAddress(text);
  }

  private static boolean isAddress(String text) {
    return IpAddress.tryParse(withoutZeros(text)).isPresent();
  }

  static boolean isCidr(String text) {
    return Cidr.tryParse(withoutZeros(text)).isPresent();
  }

  /** An IPv4 address without the leading zeros of its numbers; other text as it is. */
  private static String withoutZeros(String text) {
    if (text.indexOf(':') >= 0 || text.indexOf('0') < 0) {
      return text;
    }
    StringBuilder result = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      boolean first = result.isEmpty() || result.charAt(result.length() - 1) == '.';
      boolean leading =
          text.charAt(i) == '0'
              && first
              && i + 1 < text.length()
              && Character.digit(text.charAt(i + 1), 10) >= 0;
      if (!leading) {
        result.append(text.charAt(i));
      }
    }
    return result.toString();
  }

  /** EUI-48, EUI-64 or a 20-octet InfiniBand address, as Go's {@code net.ParseMAC} reads them. */
  static boolean isMac(String text) {
    if (text.length() < 14) {
      return false;
    }
    boolean dots = text.charAt(4) == '.';
    char separator = dots ? '.' : text.charAt(2);
    int group = dots ? 4 : 2;
    if (!dots && separator != ':' && separator != '-') {
      return false;
    }
    if ((text.length() + 1) % (group + 1) != 0) {
      return false;
    }
    int octets = (text.length() + 1) / (group + 1) * (group / 2);
    if (octets != 6 && octets != 8 && octets != 20) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      boolean between = i % (group + 1) == group;
      char c = text.charAt(i);
      if (between ? c != separator : c > 'f' || Character.digit(c, 16) < 0) {
        return false;
      }
    }
    return true;
  }
}
