package dev.keelson.controller.ipam;

import dev.keelson.value.Cidr;
import dev.keelson.value.IpAddress;
import java.math.BigInteger;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The blocks of one range of the cluster, all of the same size, of which each node gets one
 * (source: Kubernetes' {@code nodeipam/ipam/cidrset}). Safe for use by several threads.
 */
final class NodeBlocks {

  /** The longest difference between the prefix of a range and of its blocks. */
  static final int MOST_BITS = 16;

  private final Cidr range;
  private final int prefixLength;
  private final int count;

  /** Guards the fields below. */
  private final ReentrantLock lock = new ReentrantLock();

  private final BitSet taken;

  /** Where the search for a free block begins: blocks are used again as late as possible. */
  private int next;

  /**
   * Blocks none of which is taken.
   *
   * @param prefixLength that of a block; at least that of the range, at most {@value #MOST_BITS}
   *     more
   */
  NodeBlocks(Cidr range, int prefixLength) {
    int bits = prefixLength - range.prefixLength();
    if (bits < 0 || bits > MOST_BITS || prefixLength > range.family().bits()) {
      throw new IllegalArgumentException(range + " has no blocks of /" + prefixLength);
    }
    this.range = range.masked();
    this.prefixLength = prefixLength;
    this.count = 1 << bits;
    this.taken = new BitSet(count);
  }

  /** Takes a free block; empty if all are taken. */
  Optional<Cidr> take() {
    lock.lock();
    try {
      int free = taken.nextClearBit(next);
      if (free >= count) {
        free = taken.nextClearBit(0);
      }
      if (free >= count) {
        return Optional.empty();
      }
      taken.set(free);
      next = (free + 1) % count;
      return Optional.of(block(free));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Marks the blocks that another one overlaps as taken, or as free.
   *
   * @return false if it overlaps none: it is not of this range
   */
  boolean mark(Cidr other, boolean isTaken) {
    Cidr block = other.masked();
    if (!range.contains(block) && !block.contains(range)) {
      return false;
    }
    int first = block.contains(range) ? 0 : index(block);
    int size =
        block.contains(range) ? count : 1 << Math.max(0, prefixLength - block.prefixLength());
    lock.lock();
    try {
      taken.set(first, first + size, isTaken);
      return true;
    } finally {
      lock.unlock();
    }
  }

  private int suffix() {
    return range.family().bits() - prefixLength;
  }

  private int index(Cidr block) {
    return range.indexOf(block.address()).shiftRight(suffix()).intValueExact();
  }

  private Cidr block(int index) {
    byte[] first = range.address().address().getAddress();
    BigInteger address =
        new BigInteger(1, first).add(BigInteger.valueOf(index).shiftLeft(suffix()));
    byte[] sum = address.toByteArray();
    int length = Math.min(sum.length, first.length);
    byte[] padded = new byte[first.length];
    System.arraycopy(sum, sum.length - length, padded, padded.length - length, length);
    return new Cidr(IpAddress.of(padded), prefixLength);
  }

  @Override
  public String toString() {
    return range.toString();
  }
}
