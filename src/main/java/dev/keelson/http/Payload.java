package dev.keelson.http;

import java.util.List;

/**
 * The bytes of an answer as a sequence of slices, so that stored bytes are sent without being
 * copied into one array.
 *
 * @param slices the parts in order
 */
public record Payload(List<Slice> slices) implements Body {

  /** No bytes. */
  public static final Payload EMPTY = new Payload(List.of());

  /** A part of an array that nobody changes any more. */
  public record Slice(byte[] array, int offset, int length) {}

  public Payload {
    slices = List.copyOf(slices);
  }

  /** One whole array. */
  public static Payload of(byte[] bytes) {
    return bytes.length == 0 ? EMPTY : new Payload(List.of(new Slice(bytes, 0, bytes.length)));
  }

  /** The number of bytes. */
  public long length() {
    long length = 0;
    for (Slice slice : slices) {
      length += slice.length();
    }
    return length;
  }

  /** All bytes in one new array. */
  public byte[] toByteArray() {
    byte[] all = new byte[Math.toIntExact(length())];
    int at = 0;
    for (Slice slice : slices) {
      System.arraycopy(slice.array(), slice.offset(), all, at, slice.length());
      at += slice.length();
    }
    return all;
  }
}
