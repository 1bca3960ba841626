package dev.keelson.registry.service;

import java.math.BigInteger;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;

/**
 * A range of node ports, with a bit for each port that is taken (source: kube-apiserver's
 * AllocationBitmap).
 *
 * @param first the first port
 * @param last the last port
 * @param taken bit 0 is the first port
 */
public record PortBitmap(int first, int last, BigInteger taken) {

  private static final int LEAST_STATIC = 16;
  private static final int MOST_STATIC = 128;
  private static final int STATIC_SHARE = 32;

  /** A range without taken ports. */
  public static PortBitmap empty(int first, int last) {
    return new PortBitmap(first, last, BigInteger.ZERO);
  }

  /** The form in which it is stored and told: {@code 30000-32767}. */
  public String range() {
    return first + "-" + last;
  }

  /** The number of ports. */
  public int size() {
    return last - first + 1;
  }

  /** Whether the port is in the range. */
  public boolean contains(long port) {
    return port >= first && port <= last;
  }

  /** Whether the port is taken. */
  public boolean has(long port) {
    return contains(port) && taken.testBit((int) port - first);
  }

  /** The number of taken ports. */
  public int used() {
    return taken.bitCount();
  }

  /** The same range with one more taken port. */
  public PortBitmap with(long port) {
    return new PortBitmap(first, last, taken.setBit((int) port - first));
  }

  /** The same range without a taken port; a port out of the range changes nothing. */
  public PortBitmap without(long port) {
    return has(port) ? new PortBitmap(first, last, taken.clearBit((int) port - first)) : this;
  }

  /**
   * A free port: a random one above the band for static allocation, then one of the band
   * (KEP-3668).
   */
  OptionalInt next(RandomGenerator random) {
    if (used() >= size()) {
      return OptionalInt.empty();
    }
    int band =
        size() <= LEAST_STATIC ? 0 : Math.clamp(size() / STATIC_SHARE, LEAST_STATIC, MOST_STATIC);
    OptionalInt port = free(band, size(), random);
    return port.isPresent() ? port : free(0, band, random);
  }

  private OptionalInt free(int from, int to, RandomGenerator random) {
    int count = to - from;
    if (count > 0) {
      int start = random.nextInt(count);
      for (int i = 0; i < count; i++) {
        int at = from + (start + i) % count;
        if (!taken.testBit(at)) {
          return OptionalInt.of(first + at);
        }
      }
    }
    return OptionalInt.empty();
  }
}
