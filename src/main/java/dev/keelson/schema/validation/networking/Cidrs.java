package dev.keelson.schema.validation.networking;

import java.net.InetAddress;

/** Arithmetic on networks in CIDR notation that {@link Formats} has found well formed. */
final class Cidrs {
  private Cidrs() {}

  /** Whether {@code inner} is a proper part of {@code outer}. */
  static boolean within(String inner, String outer) {
    byte[] a = address(inner);
    byte[] b = address(outer);
    int bits = bits(outer);
    if (a.length != b.length || bits(inner) <= bits) {
      return false;
    }
    for (int i = 0; i < bits; i++) {
      int mask = 0x80 >> (i & 7);
      if ((a[i >> 3] & mask) != (b[i >> 3] & mask)) {
        return false;
      }
    }
    return true;
  }

  private static byte[] address(String cidr) {
    return InetAddress.ofLiteral(cidr.substring(0, cidr.indexOf('/'))).getAddress();
  }

  private static int bits(String cidr) {
    return Integer.parseInt(cidr.substring(cidr.indexOf('/') + 1));
  }
}
