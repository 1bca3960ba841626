package dev.keelson.registry.service;

import dev.keelson.api.IpText;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * The addresses of Services of one IP family.
 *
 * @param network the first address of the block
 * @param prefixLength how many leading bits all its addresses share
 */
public record AddressBlock(InetAddress network, int prefixLength) {

  /** More are not given out; Kubernetes draws the line at as many for IPv6. */
  private static final int MOST = 1 << 16;

  /** {@code IPv4} or {@code IPv6}. */
  String family() {
    return network.getAddress().length == 4 ? "IPv4" : "IPv6";
  }

  /** The number of places from the network to the last address that may be given out. */
  int last() {
    int bits = network.getAddress().length * 8 - prefixLength;
    int places = bits >= 16 && family().equals("IPv6") ? MOST : 1 << Math.min(bits, 30);
    // the last address of an IPv4 network is the broadcast address
    return family().equals("IPv4") ? places - 2 : places - 1;
  }

  /**
   * Where the addresses begin that are given out by chance; those before are left to users who ask
   * for one (KEP-3070).
   */
  int dynamicFrom() {
    int size = last();
    int reserved = Math.min(Math.max(16, size / 16), 256);
    return size <= reserved ? 2 : reserved + 1;
  }

  boolean contains(InetAddress address) {
    byte[] own = network.getAddress();
    byte[] other = address.getAddress();
    return own.length == other.length
        && new BigInteger(1, own)
                .xor(new BigInteger(1, other))
                .shiftRight(own.length * 8 - prefixLength)
                .signum()
            == 0;
  }

  /** Whether an address of the block is none for a Service: the network's and the broadcast's. */
  boolean isReserved(InetAddress address) {
    BigInteger place =
        new BigInteger(1, address.getAddress()).subtract(new BigInteger(1, network.getAddress()));
    int bits = network.getAddress().length * 8 - prefixLength;
    return place.signum() == 0
        || (family().equals("IPv4")
            && place.equals(BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE)));
  }

  /** The address at a place, in the form that objects have. */
  String text(int place) {
    byte[] bytes = network.getAddress();
    byte[] sum = new BigInteger(1, bytes).add(BigInteger.valueOf(place)).toByteArray();
    int length = Math.min(sum.length, bytes.length);
    System.arraycopy(sum, sum.length - length, bytes, bytes.length - length, length);
    try {
      return IpText.of(InetAddress.getByAddress(bytes));
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address of " + bytes.length + " bytes", e);
    }
  }

  @Override
  public String toString() {
    return IpText.of(network) + "/" + prefixLength;
  }
}
