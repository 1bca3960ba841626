package dev.keelson.value;

import dev.keelson.value.IpAddress.Family;
import java.math.BigInteger;
import java.util.Optional;

/**
 * A block of IP addresses in CIDR notation, such as {@code 10.0.0.0/8}. The address need not be the
 * first one of the block; {@link #masked} makes it that.
 *
 * @param address an address of the block
 * @param prefixLength the number of leading bits that all addresses of the block share; at most the
 *     length of an address
 */
public record Cidr(IpAddress address, int prefixLength) {

  /** The bits that an IPv4-mapped IPv6 address has in front of the IPv4 address. */
  private static final int MAPPED_PREFIX = 96;

  public Cidr {
    int bits = address.family().bits();
    if (prefixLength < 0 || prefixLength > bits) {
      throw new IllegalArgumentException("prefix length " + prefixLength + " of " + bits + " bits");
    }
  }

  /**
   * Reads a block: an address as {@link IpAddress#parse} reads it, a slash, and the prefix length
   * without leading zeros.
   *
   * @throws ValueFormatException if the text is none
   */
  public static Cidr parse(String text) {
    int slash = text.lastIndexOf('/');
    int length = slash < 0 ? -1 : prefixLength(text, slash + 1);
    if (length < 0) {
      throw none(text);
    }
    String before = text.substring(0, slash);
    IpAddress address = IpAddress.tryParse(before).orElseThrow(() -> none(text));
    if (address.family() == Family.IPV4 && before.indexOf(':') >= 0) {
      length -= MAPPED_PREFIX;
    }
    if (length < 0 || length > address.family().bits()) {
      throw none(text);
    }
    return new Cidr(address, length);
  }

  /** Reads a block as {@link #parse} does; empty if the text is none. */
  public static Optional<Cidr> tryParse(String text) {
    try {
      return Optional.of(parse(text));
    } catch (ValueFormatException no) {
      return Optional.empty();
    }
  }

  private static ValueFormatException none(String text) {
    return new ValueFormatException("invalid CIDR address: " + text);
  }

  /** The number behind the slash, or -1 if it is none of at most three digits. */
  private static int prefixLength(String text, int from) {
    int digits = text.length() - from;
    if (digits < 1 || digits > 3 || (digits > 1 && text.charAt(from) == '0')) {
      return -1;
    }
    int number = 0;
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      number = number * 10 + c - '0';
    }
    return number;
  }

  /** The family of the addresses. */
  public Family family() {
    return address.family();
  }

  /** Whether the block has the address; false for the other family. */
  public boolean contains(IpAddress other) {
    if (other.family() != address.family()) {
      return false;
    }
    byte[] one = address.address().getAddress();
    byte[] two = other.address().getAddress();
    for (int i = 0; i < one.length; i++) {
      if (((one[i] ^ two[i]) & mask(i)) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether all addresses of another block are in this one; a block contains itself. */
  public boolean contains(Cidr other) {
    return prefixLength <= other.prefixLength && contains(other.address);
  }

  /** The same block with its first address. */
  public Cidr masked() {
    byte[] bytes = address.address().getAddress();
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] &= (byte) mask(i);
    }
    return new Cidr(IpAddress.of(bytes), prefixLength);
  }

  /** The bits of the byte {@code index} that belong to the prefix. */
  private int mask(int index) {
    return 0xff00 >> Math.clamp(prefixLength - 8L * index, 0, 8) & 0xff;
  }

  /** The number of addresses, a power of two. */
  public BigInteger size() {
    return BigInteger.ONE.shiftLeft(family().bits() - prefixLength);
  }

  /**
   * The address {@code index} places after the first of the block.
   *
   * @throws IllegalArgumentException if the block has no such address
   */
  public IpAddress get(long index) {
    if (index < 0 || BigInteger.valueOf(index).compareTo(size()) >= 0) {
      throw new IllegalArgumentException(this + " has no address number " + index);
    }
    byte[] bytes = masked().address.address().getAddress();
    byte[] sum = new BigInteger(1, bytes).add(BigInteger.valueOf(index)).toByteArray();
    int length = Math.min(sum.length, bytes.length);
    System.arraycopy(sum, sum.length - length, bytes, bytes.length - length, length);
    return IpAddress.of(bytes);
  }

  /**
   * How many places after the first address of the block an address is.
   *
   * @param other an address of the block
   */
  public BigInteger indexOf(IpAddress other) {
    return new BigInteger(1, other.address().getAddress())
        .subtract(new BigInteger(1, masked().address.address().getAddress()));
  }

  @Override
  public String toString() {
    return address + "/" + prefixLength;
  }
}
