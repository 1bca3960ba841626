package dev.keelson.storage;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An immutable run of bytes, ordered as unsigned bytes as etcd orders keys. It may be a part of an
 * array that other runs share. The array is not copied: the caller must not change it.
 */
public final class Bytes implements Comparable<Bytes> {

  /** No bytes. */
  public static final Bytes EMPTY = new Bytes(new byte[0], 0, 0);

  private final byte[] backing;
  private final int offset;
  private final int length;

  private Bytes(byte[] backing, int offset, int length) {
    this.backing = backing;
    this.offset = offset;
    this.length = length;
  }

  /** Wraps {@code array}, which must not be changed any more. */
  public static Bytes wrap(byte[] array) {
    return new Bytes(array, 0, array.length);
  }

  /**
   * Wraps a part of {@code array}, which must not be changed any more.
   *
   * @throws IndexOutOfBoundsException if it is no part of it
   */
  public static Bytes wrap(byte[] array, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, array.length);
    return new Bytes(array, offset, length);
  }

  /** The UTF-8 form of {@code text}. */
  public static Bytes utf8(String text) {
    return wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The bytes as an array of their own; the caller must not change it. Copies if they are a part of
   * a larger one; use {@link #backing} to read many runs.
   */
  public byte[] array() {
    return isWhole() ? backing : Arrays.copyOfRange(backing, offset, end());
  }

  /** The backing array, which the caller must not change; the bytes begin at {@link #offset}. */
  public byte[] backing() {
    return backing;
  }

  /** The first index in {@link #backing}. */
  public int offset() {
    return offset;
  }

  /** The index in {@link #backing} after the last byte. */
  public int end() {
    return offset + length;
  }

  public int length() {
    return length;
  }

  public boolean isEmpty() {
    return length == 0;
  }

  public boolean startsWith(Bytes prefix) {
    int size = prefix.length;
    return length >= size
        && Arrays.equals(
            backing, offset, offset + size, prefix.backing, prefix.offset, prefix.end());
  }

  /** These bytes read as UTF-8. */
  public String utf8() {
    return new String(backing, offset, length, StandardCharsets.UTF_8);
  }

  private boolean isWhole() {
    return length == backing.length;
  }

  @Override
  public int compareTo(Bytes other) {
    return Arrays.compareUnsigned(backing, offset, end(), other.backing, other.offset, other.end());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Bytes that
        && Arrays.equals(backing, offset, end(), that.backing, that.offset, that.end());
  }

  @Override
  public int hashCode() {
    if (isWhole()) {
      return Arrays.hashCode(backing);
    }
    // the same as that of an array, which has no form for a part of one
    int hash = 1;
    for (int i = offset; i < end(); i++) {
      hash = 31 * hash + backing[i];
    }
    return hash;
  }

  @Override
  public String toString() {
    return utf8();
  }
}
