package dev.keelson.value;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * An IP address. Equal addresses are equal however they are written; no name is ever looked up.
 *
 * @param address the address; an IPv6 address without a zone
 */
public record IpAddress(InetAddress address) {

  private static final int LONGEST = 45;

  /** The IP families, named as the {@code ipFamilies} of Services. */
  public enum Family {
    IPV4("IPv4", 32),
    IPV6("IPv6", 128);

    private final String text;
    private final int bits;

    Family(String text, int bits) {
      this.text = text;
      this.bits = bits;
    }

    /** The length of an address in bits. */
    public int bits() {
      return bits;
    }

    /** {@code IPv4} or {@code IPv6}. */
    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * Reads an address: four decimal numbers without leading zeros, or the forms of RFC 4291 without
   * a zone. An IPv4-mapped IPv6 address is the IPv4 address (source: Go's {@code net.ParseIP}).
   *
   * @throws ValueFormatException if the text is no address
   */
  public static IpAddress parse(String text) {
    if (text.length() <= LONGEST) {
      if (text.indexOf(':') < 0) {
        byte[] bytes = new byte[4];
        if (quad(text, 0, bytes)) {
          return of(bytes);
        }
      } else if (isIpv6Text(text)) {
        try {
          return new IpAddress(InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException no) {
          throw none(text);
        }
      }
    }
    throw none(text);
  }

  /** Reads an address as {@link #parse} does; empty if the text is none. */
  public static Optional<IpAddress> tryParse(String text) {
    try {
      return Optional.of(parse(text));
    } catch (ValueFormatException no) {
      return Optional.empty();
    }
  }

  /** Whether the text is an IPv4 address in dotted decimal form. */
  public static boolean isIpv4(String text) {
    return quad(text, 0, new byte[4]);
  }

  /** Whether the text is an address in IPv6 form; that includes IPv4-mapped addresses. */
  public static boolean isIpv6(String text) {
    return text.indexOf(':') >= 0 && tryParse(text).isPresent();
  }

  /**
   * The address of some bytes.
   *
   * @param bytes 4 or 16, in network order
   */
  public static IpAddress of(byte[] bytes) {
    try {
      return new IpAddress(InetAddress.getByAddress(bytes));
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address has 4 or 16 bytes, not " + bytes.length, e);
    }
  }

  private static ValueFormatException none(String text) {
    return new ValueFormatException("ParseAddr(\"" + text + "\"): unable to parse IP");
  }

  /** Reads four decimal numbers up to 255, without leading zeros, from {@code from} to the end. */
  private static boolean quad(String text, int from, byte[] bytes) {
    int at = from;
    for (int i = 0; i < 4; i++) {
      int begin = at;
      int number = 0;
      while (at < text.length() && at - begin < 3 && isDigit(text.charAt(at))) {
        number = number * 10 + text.charAt(at++) - '0';
      }
      boolean padded = at - begin > 1 && text.charAt(begin) == '0';
      boolean last = i == 3;
      boolean ended = last ? at == text.length() : at < text.length() && text.charAt(at) == '.';
      if (at == begin || padded || number > 255 || !ended) {
        return false;
      }
      bytes[i] = (byte) number;
      at++;
    }
    return true;
  }

  /** Checks the characters and the length of groups; how many there are is the JDK's to check. */
  private static boolean isIpv6Text(String text) {
    int group = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == ':') {
        group = 0;
      } else if (c == '.') {
        return quad(text, text.lastIndexOf(':') + 1, new byte[4]);
      } else if (!isHexDigit(c) || ++group > 4) {
        return false;
      }
    }
    return true;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isHexDigit(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }

  /** The family of the address. */
  public Family family() {
    return address.getAddress().length == 4 ? Family.IPV4 : Family.IPV6;
  }

  /** Whether it is {@code 0.0.0.0} or {@code ::}. */
  public boolean isUnspecified() {
    return address.isAnyLocalAddress();
  }

  /** Whether it is in {@code 127.0.0.0/8} or is {@code ::1}. */
  public boolean isLoopback() {
    return address.isLoopbackAddress();
  }

  /** Whether it is in {@code 224.0.0.0/24} or {@code ff02::/16} (with any flags). */
  public boolean isLinkLocalMulticast() {
    return address.isMCLinkLocal();
  }

  /** Whether it is in {@code 169.254.0.0/16} or {@code fe80::/10}. */
  public boolean isLinkLocalUnicast() {
    return address.isLinkLocalAddress();
  }

  /**
   * Whether it is neither unspecified, loopback, multicast, link-local nor the IPv4 broadcast
   * address; private addresses are global unicast, as in Go.
   */
  public boolean isGlobalUnicast() {
    return !isUnspecified()
        && !isLoopback()
        && !address.isMulticastAddress()
        && !isLinkLocalUnicast()
        && !toString().equals("255.255.255.255");
  }

  /** The canonical form: dotted decimal, or RFC 5952 for IPv6. */
  @Override
  public String toString() {
    byte[] bytes = address.getAddress();
    return bytes.length == 4 ? address.getHostAddress() : ipv6Text(bytes);
  }

  private static String ipv6Text(byte[] bytes) {
    int[] groups = new int[8];
    for (int i = 0; i < 8; i++) {
      groups[i] = (bytes[2 * i] & 0xff) << 8 | (bytes[2 * i + 1] & 0xff);
    }
    // the first of the longest runs of zeros, if it is longer than one group
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
