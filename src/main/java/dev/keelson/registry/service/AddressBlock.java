package dev.keelson.registry.service;

import dev.keelson.value.Cidr;
import dev.keelson.value.IpAddress;
import dev.keelson.value.IpAddress.Family;
import java.math.BigInteger;

/**
 * The addresses of Services of one IP family.
 *
 * @param range the block, with its first address
 */
public record AddressBlock(Cidr range) {

  /** The most addresses that are allocated from an IPv6 block, as in Kubernetes. */
  private static final int MOST = 1 << 16;

  public AddressBlock {
    range = range.masked();
  }

  /** {@code IPv4} or {@code IPv6}. */
  String family() {
    return range.family().toString();
  }

  /** The index in the block of the last address that may be allocated. */
  int last() {
    int bits = range.family().bits() - range.prefixLength();
    boolean ipv6 = range.family() == Family.IPV6;
    int size = bits >= 16 && ipv6 ? MOST : 1 << Math.min(bits, 30);
    // the last address of an IPv4 network is the broadcast address
    return ipv6 ? size - 1 : size - 2;
  }

  /**
   * The index of the first address that is allocated at random; lower ones are reserved for static
   * allocation (KEP-3070).
   */
  int dynamicFrom() {
    int size = last();
    int reserved = Math.min(Math.max(16, size / 16), 256);
    return size <= reserved ? 2 : reserved + 1;
  }

  /** Whether the address is in the block. */
  boolean contains(IpAddress address) {
    return range.contains(address);
  }

  /** Whether an address of the block is reserved: the network or the broadcast address. */
  boolean isReserved(IpAddress address) {
    BigInteger index = range.indexOf(address);
    return index.signum() == 0
        || (range.family() == Family.IPV4 && index.equals(range.size().subtract(BigInteger.ONE)));
  }

  /** The canonical text of the address at an index of the block. */
  String text(int index) {
    return range.get(index).toString();
  }

  @Override
  public String toString() {
    return range.toString();
  }
}
