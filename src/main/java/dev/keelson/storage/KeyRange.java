package dev.keelson.storage;

import java.util.Arrays;

/**
 * The keys from {@code start} to before {@code end}.
 *
 * @param start the first key, included
 * @param end the first key that is no longer included; empty means that there is no upper bound
 */
public record KeyRange(Bytes start, Bytes end) {

  /** Every key that begins with {@code prefix}, which is not empty. */
  public static KeyRange prefix(Bytes prefix) {
    return new KeyRange(prefix, after(prefix));
  }

  /** The one key {@code key}. */
  public static KeyRange single(Bytes key) {
    return new KeyRange(key, successor(key));
  }

  /** The part of this range that comes after {@code key}. */
  public KeyRange startingAfter(Bytes key) {
    return new KeyRange(successor(key), end);
  }

  /** Whether {@code key} lies in this range. */
  public boolean contains(Bytes key) {
    return start.compareTo(key) <= 0 && (end.isEmpty() || key.compareTo(end) < 0);
  }

  /** The smallest key that is greater than {@code key}. */
  private static Bytes successor(Bytes key) {
    return Bytes.wrap(Arrays.copyOf(key.array(), key.length() + 1));
  }

  /**
   * The smallest key that is greater than every key with {@code prefix}; empty if there is none.
   */
  private static Bytes after(Bytes prefix) {
    byte[] bytes = prefix.array();
    for (int i = bytes.length - 1; i >= 0; i--) {
      if (bytes[i] != (byte) 0xff) {
        byte[] end = Arrays.copyOf(bytes, i + 1);
        end[i]++;
        return Bytes.wrap(end);
      }
    }
    return Bytes.EMPTY;
  }
}
