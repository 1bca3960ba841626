package dev.keelson.cel;

import dev.keelson.api.IpText;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An IP address in an expression (source: Go's {@code netip.ParseAddr}, which is stricter than
 * others: no zeros in front, no zones, no IPv4 address in the clothes of IPv6). Nothing is ever
 * looked up.
 */
record Address(InetAddress address) {

  private static final String BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
  private static final String QUAD = BYTE + "(?:\\." + BYTE + "){3}";
  private static final Pattern IPV4 = Pattern.compile(QUAD);

  /** The letters of an IPv6 address; how many groups there are is the JDK's to check. */
  private static final Pattern IPV6 =
      Pattern.compile("(?=.*:)[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4})*(?::" + QUAD + ")?");

  private static final int LONGEST = 45;

  /**
   * Reads an address.
   *
   * @throws IllegalArgumentException in Kubernetes' words if it is none
   */
  static Address parse(String text) {
    if (text.length() <= LONGEST) {
      if (IPV4.matcher(text).matches()) {
        return new Address(Inet4Address.ofLiteral(text));
      }
      if (IPV6.matcher(text).matches()) {
        InetAddress address = ipv6(text);
        if (address instanceof Inet4Address) {
          throw new IllegalArgumentException("IPv4-mapped IPv6 address is not allowed");
        }
        return new Address(address);
      }
      if (text.indexOf('%') > 0) {
        throw new IllegalArgumentException("IP address with zone value is not allowed");
      }
    }
    throw none(text, null);
  }

  private static InetAddress ipv6(String text) {
    try {
      return InetAddress.ofLiteral(text);
    } catch (IllegalArgumentException e) {
      throw none(text, e);
    }
  }

  private static IllegalArgumentException none(String text, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "IP Address \"" + text + "\" parse error during conversion from string", cause);
  }

  static boolean isAddress(String text) {
    try {
      Address unused = parse(text);
      return true;
    } catch (IllegalArgumentException no) {
      return false;
    }
  }

  /** Whether {@code text} is written as {@link #toString} writes it. */
  static boolean isCanonical(String text) {
    return parse(text).toString().equals(text);
  }

  /** 4 or 6. */
  long family() {
    return address instanceof Inet6Address ? 6 : 4;
  }

  boolean isUnspecified() {
    return address.isAnyLocalAddress();
  }

  boolean isLoopback() {
    return address.isLoopbackAddress();
  }

  boolean isLinkLocalMulticast() {
    return address.isMCLinkLocal();
  }

  boolean isLinkLocalUnicast() {
    return address.isLinkLocalAddress();
  }

  /** Whether it is none of the special ones; private networks are global here, as in Go. */
  boolean isGlobalUnicast() {
    return !address.isAnyLocalAddress()
        && !address.isLoopbackAddress()
        && !address.isMulticastAddress()
        && !address.isLinkLocalAddress()
        && !toString().equals("255.255.255.255");
  }

  /** The form of RFC 5952: small letters, the longest run of zeros left out. */
  @Override
  public String toString() {
    return IpText.of(address);
  }
}
