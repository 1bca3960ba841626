package dev.keelson.registry.service;

import dev.keelson.value.Cidr;
import dev.keelson.value.IpAddress;
import dev.keelson.value.IpAddress.Family;
import java.math.BigInteger;

/**
 * A range of Service addresses of one IP family. The addresses that may be allocated are counted
 * from 1: number 0 is the network address, which is not allocated, nor is the broadcast address of
 * an IPv4 network (source: kube-apiserver's ipallocator).
 *
 * @param range the block, with its first address
 */
public record AddressBlock(Cidr range) {

  private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

  /** The shortest prefix of an IPv6 range. */
  private static final int SHORTEST_IPV6_PREFIX = 64;

  private static final int LEAST_STATIC = 16;
  private static final int MOST_STATIC = 256;
  private static final int STATIC_SHARE = 16;

  public AddressBlock {
    range = range.masked();
  }

  /** {@code IPv4} or {@code IPv6}. */
  String family() {
    return range.family().toString();
  }

  /** Whether addresses can be allocated from the range; not from a very large one of IPv6. */
  public boolean usable() {
    return range.family() == Family.IPV4 || range.prefixLength() >= SHORTEST_IPV6_PREFIX;
  }

  /** The number of addresses that can be allocated, at most 2^63 - 1; 0 in a very small range. */
  public long size() {
    BigInteger size = range.size().subtract(BigInteger.ONE);
    if (range.family() == Family.IPV4) {
      size = size.subtract(BigInteger.ONE);
    }
    return Math.max(0, size.min(MOST).longValue());
  }

  /**
   * How many addresses at the beginning are reserved for static allocation: others are allocated at
   * random first (KEP-3070).
   */
  long staticBand() {
    long total = range.size().min(MOST).longValue();
    return total <= LEAST_STATIC ? 0 : Math.clamp(total / STATIC_SHARE, LEAST_STATIC, MOST_STATIC);
  }

  /** Whether the address is in the range, also one that is not allocated. */
  public boolean contains(IpAddress address) {
    return range.contains(address);
  }

  /** Whether an address of the range may be allocated: not the network or broadcast address. */
  boolean isAllocatable(IpAddress address) {
    BigInteger index = range.indexOf(address);
    BigInteger behind = range.size();
    if (range.family() == Family.IPV4) {
      behind = behind.subtract(BigInteger.ONE);
    }
    return index.signum() > 0 && index.compareTo(behind) < 0;
  }

  /** The canonical text of the address with a number from 1 to {@link #size}. */
  String text(long number) {
    return range.get(number).toString();
  }

  @Override
  public String toString() {
    return range.toString();
  }
}
