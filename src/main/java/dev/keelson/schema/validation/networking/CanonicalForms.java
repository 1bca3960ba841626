package dev.keelson.schema.validation.networking;

import dev.keelson.schema.validation.Formats;
import dev.keelson.value.Cidr;
import dev.keelson.value.IpAddress;
import dev.keelson.value.IpAddress.Family;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The forms of addresses and ranges that newer fields require (source: IsValidIP and IsValidCIDR of
 * apimachinery). Each method returns the problem, or an empty text.
 */
final class CanonicalForms {

  /** Zeros in front of a decimal number. */
  private static final Pattern LEADING_ZEROS = Pattern.compile("(?<![0-9a-fA-F:])0+(?=[0-9])");

  private CanonicalForms() {}

  static String ip(String text) {
    Optional<IpAddress> ip = IpAddress.tryParse(text);
    if (ip.isEmpty()) {
      return IpAddress.tryParse(LEADING_ZEROS.matcher(text).replaceAll("")).isPresent()
          ? "must not have leading 0s"
          : Formats.IP.apply(text);
    }
    if (isMapped(text, ip.get())) {
      return "must not be an IPv4-mapped IPv6 address";
    }
    return canonical(text, ip.get().toString());
  }

  static String cidr(String text) {
    Optional<Cidr> cidr = Cidr.tryParse(text);
    if (cidr.isEmpty()) {
      return Cidr.tryParse(LEADING_ZEROS.matcher(text).replaceAll("")).isPresent()
          ? "must not have leading 0s in IP or prefix length"
          : Formats.CIDR.apply(text);
    }
    if (isMapped(text, cidr.get().address())) {
      return "must not have an IPv4-mapped IPv6 address";
    }
    if (!cidr.get().masked().equals(cidr.get())) {
      return "must not have bits set beyond the prefix length";
    }
    return canonical(text, cidr.get().toString());
  }

  private static boolean isMapped(String text, IpAddress address) {
    return address.family() == Family.IPV4 && text.indexOf(':') >= 0;
  }

  private static String canonical(String text, String form) {
    return text.equals(form) ? "" : "must be in canonical form (\"" + form + "\")";
  }
}
