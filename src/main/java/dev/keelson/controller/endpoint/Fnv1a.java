package dev.keelson.controller.endpoint;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;

/**
 * The 128-bit FNV-1a hash of a text (by Fowler, Noll and Vo), ordered as an unsigned number.
 *
 * @param high the upper 64 bits
 * @param low the lower 64 bits
 */
record Fnv1a(long high, long low) implements Comparable<Fnv1a> {

  private static final Comparator<Fnv1a> UNSIGNED =
      Comparator.comparing(Fnv1a::high, Long::compareUnsigned)
          .thenComparing(Fnv1a::low, Long::compareUnsigned);

  private static final long OFFSET_HIGH = 0x6c62272e07bb0142L;
  private static final long OFFSET_LOW = 0x62b821756295c58dL;

  /** The prime is this number and 2 to the power of 64 + {@link #PRIME_SHIFT}. */
  private static final long PRIME_LOW = 0x13b;

  private static final int PRIME_SHIFT = 24;

  /** The hash of {@code text} in UTF-8. */
  static Fnv1a of(String text) {
    long high = OFFSET_HIGH;
    long low = OFFSET_LOW;
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      low ^= each & 0xff;
      high = high * PRIME_LOW + Math.unsignedMultiplyHigh(low, PRIME_LOW) + (low << PRIME_SHIFT);
      low *= PRIME_LOW;
    }
    return new Fnv1a(high, low);
  }

  @Override
  public int compareTo(Fnv1a other) {
    return UNSIGNED.compare(this, other);
  }
}
