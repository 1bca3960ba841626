package dev.keelson.schema.proto;

import java.nio.charset.StandardCharsets;

/**
 * Reads the fields of one protobuf message in turn. Used by one thread.
 *
 * <p>It takes the place of protobuf's own reader, which checks more, loads more classes and copies
 * what it hands out: the schemas are read at every start, mostly by skipping, before the JVM has
 * compiled anything. Broken bytes cannot come from outside; they end in an {@link
 * IllegalStateException} or an index out of bounds.
 */
final class WireReader {

  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int LENGTH_DELIMITED = 2;
  private static final int FIXED32 = 5;

  private final byte[] bytes;
  private final int end;
  private int at;
  private int wireType;

  WireReader(byte[] bytes, int offset, int length) {
    this.bytes = bytes;
    this.at = offset;
    this.end = offset + length;
  }

  /** Moves to the next field; its value must be read or skipped before the next call. */
  int next() {
    if (at >= end) {
      return 0;
    }
    int tag = integer();
    wireType = tag & 7;
    return tag >>> 3;
  }

  /** Whether the message is at its end, for packed numbers. */
  boolean atEnd() {
    return at >= end;
  }

  /** Moves over the value. */
  void skip() {
    switch (wireType) {
      case VARINT -> integer();
      case FIXED64 -> at += Long.BYTES;
      case LENGTH_DELIMITED -> {
        int length = integer();
        at += length;
      }
      case FIXED32 -> at += Integer.BYTES;
      default -> throw new IllegalStateException("malformed descriptor at byte " + at);
    }
  }

  /** The value as an integer; bits beyond the 32nd are dropped. */
  int integer() {
    int first = bytes[at++];
    if (first >= 0) {
      return first;
    }
    int value = first & 0x7F;
    int shift = 7;
    int next;
    do {
      next = bytes[at++];
      value |= shift < Integer.SIZE ? (next & 0x7F) << shift : 0;
      shift += 7;
    } while (next < 0);
    return value;
  }

  boolean bool() {
    return integer() != 0;
  }

  String string() {
    Slice slice = slice();
    return new String(bytes, slice.offset(), slice.length(), StandardCharsets.UTF_8);
  }

  /** Where a string or message is in the whole array. */
  Slice slice() {
    int length = integer();
    Slice slice = new Slice(at, length);
    at += length;
    return slice;
  }

  /** A reader of the message that is the value. */
  WireReader message() {
    int length = integer();
    WireReader inner = new WireReader(bytes, at, length);
    at += length;
    return inner;
  }
}
