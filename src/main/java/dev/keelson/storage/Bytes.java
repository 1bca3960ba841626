package dev.keelson.storage;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An immutable run of bytes, ordered as unsigned bytes as etcd orders keys. The array is shared,
 * not copied: who makes one, gives the array away.
 */
public final class Bytes implements Comparable<Bytes> {

  /** No bytes. */
  public static final Bytes EMPTY = new Bytes(new byte[0]);

  private final byte[] array;

  private Bytes(byte[] array) {
    this.array = array;
  }

  /** Wraps {@code array}, which must not be changed any more. */
  public static Bytes wrap(byte[] array) {
    return new Bytes(array);
  }

  /** The UTF-8 form of {@code text}. */
  public static Bytes utf8(String text) {
    return new Bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The array itself; the caller must not change it. */
  public byte[] array() {
    return array;
  }

  public int length() {
    return array.length;
  }

  public boolean isEmpty() {
    return array.length == 0;
  }

  public boolean startsWith(Bytes prefix) {
    return array.length >= prefix.array.length
        && Arrays.equals(array, 0, prefix.array.length, prefix.array, 0, prefix.array.length);
  }

  /** These bytes read as UTF-8. */
  public String utf8() {
    return new String(array, StandardCharsets.UTF_8);
  }

  @Override
  public int compareTo(Bytes other) {
    return Arrays.compareUnsigned(array, other.array);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Bytes that && Arrays.equals(array, that.array);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(array);
  }

  @Override
  public String toString() {
    return utf8();
  }
}
