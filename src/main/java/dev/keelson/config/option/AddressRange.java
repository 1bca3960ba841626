package dev.keelson.config.option;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * A block of IP addresses, for example {@code 10.0.0.0/24}.
 *
 * @param network the first address of the block
 * @param prefixLength how many leading bits all its addresses share
 */
public record AddressRange(InetAddress network, int prefixLength) {

  public AddressRange {
    int width = network.getAddress().length * 8;
    if (prefixLength < 0 || prefixLength > width) {
      throw new IllegalArgumentException(
          "prefix length " + prefixLength + " of " + width + " bits");
    }
    network = mask(network, prefixLength);
  }

  /**
   * The address {@code index} places after the first.
   *
   * @throws IllegalArgumentException if the block is smaller than that
   */
  public InetAddress address(long index) {
    byte[] first = network.getAddress();
    BigInteger size = BigInteger.ONE.shiftLeft(first.length * 8 - prefixLength);
    if (index < 0 || BigInteger.valueOf(index).compareTo(size) >= 0) {
      throw new IllegalArgumentException(this + " has no address number " + index);
    }
    byte[] sum = new BigInteger(1, first).add(BigInteger.valueOf(index)).toByteArray();
    byte[] bytes = new byte[first.length];
    int length = Math.min(sum.length, bytes.length);
    System.arraycopy(sum, sum.length - length, bytes, bytes.length - length, length);
    return of(bytes);
  }

  @Override
  public String toString() {
    return network.getHostAddress() + "/" + prefixLength;
  }

  private static InetAddress mask(InetAddress address, int prefixLength) {
    byte[] bytes = Arrays.copyOf(address.getAddress(), address.getAddress().length);
    for (int i = 0; i < bytes.length; i++) {
      int kept = Math.clamp(prefixLength - i * 8L, 0, 8);
      bytes[i] &= (byte) (0xff << (8 - kept));
    }
    return of(bytes);
  }

  private static InetAddress of(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address of " + bytes.length + " bytes", e);
    }
  }
}
