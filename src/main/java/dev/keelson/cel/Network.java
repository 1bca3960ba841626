package dev.keelson.cel;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A network in an expression, such as {@code 10.0.0.0/8}; its address need not be the first one.
 *
 * @param bits how many of the first bits all its addresses have in common
 */
record Network(Address address, int bits) {

  private static final Pattern BITS = Pattern.compile("0|[1-9][0-9]{0,2}");

  /**
   * Reads a network.
   *
   * @throws IllegalArgumentException in Kubernetes' words if it is none
   */
  static Network parse(String text) {
    int slash = text.lastIndexOf('/');
    String bits = text.substring(slash + 1);
    if (slash < 0 || !BITS.matcher(bits).matches()) {
      throw none(text, null);
    }
    Address address;
    try {
      address = Address.parse(text.substring(0, slash));
    } catch (IllegalArgumentException e) {
      throw none(text, e);
    }
    int length = Integer.parseInt(bits);
    if (length > 8 * address.address().getAddress().length) {
      throw none(text, null);
    }
    return new Network(address, length);
  }

  private static IllegalArgumentException none(String text, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "network address parse error during conversion from string: \"" + text + "\"", cause);
  }

  static boolean isNetwork(String text) {
    try {
      Network unused = parse(text);
      return true;
    } catch (IllegalArgumentException no) {
      return false;
    }
  }

  boolean contains(Address other) {
    return other.family() == address.family() && new Network(other, bits).masked().equals(masked());
  }

  boolean contains(Network other) {
    return bits <= other.bits && contains(other.address);
  }

  /** The same network with its first address. */
  Network masked() {
    byte[] bytes = address.address().getAddress();
    for (int i = 0; i < bytes.length; i++) {
      int kept = Math.clamp(bits - 8L * i, 0, 8);
      bytes[i] &= (byte) (0xff << (8 - kept));
    }
    try {
      return new Network(new Address(InetAddress.getByAddress(bytes)), bits);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address has 4 or 16 bytes: " + bytes.length, e);
    }
  }

  @Override
  public String toString() {
    return address + "/" + bits;
  }
}
