package dev.keelson.schema.openapi.gnostic;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes the protobuf wire format. Used by one thread.
 *
 * <p>The length of a nested message is known only when it ends; one byte is kept for it, and a
 * longer message is moved up. Every byte is moved at most once a level, which is cheaper than
 * writing each message apart.
 */
final class ProtoBytes {

  private static final int LENGTH_DELIMITED = 2;

  private byte[] bytes = new byte[8192];
  private int size;

  void string(int field, String value) {
    if (!value.isEmpty()) {
      presentString(field, value);
    }
  }

  /** Also when it is empty: in repeated fields and alternatives that counts. */
  void presentString(int field, String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    bytes(field, utf8);
  }

  void bytes(int field, byte[] value) {
    tag(field, LENGTH_DELIMITED);
    varint(value.length);
    reserve(value.length);
    System.arraycopy(value, 0, bytes, size, value.length);
    size += value.length;
  }

  void bool(int field, boolean value) {
    if (value) {
      presentBool(field, true);
    }
  }

  void presentBool(int field, boolean value) {
    tag(field, 0);
    varint(value ? 1 : 0);
  }

  void presentVarint(int field, long value) {
    tag(field, 0);
    varint(value);
  }

  void presentDouble(int field, double value) {
    tag(field, 1);
    long bits = Double.doubleToRawLongBits(value);
    for (int i = 0; i < Long.BYTES; i++) {
      put((int) (bits >>> (i * 8)));
    }
  }

  /** Writes what {@code body} writes as a message. */
  void message(int field, Runnable body) {
    tag(field, LENGTH_DELIMITED);
    put(0);
    int start = size;
    body.run();
    int length = size - start;
    int extra = varintSize(length) - 1;
    if (extra > 0) {
      reserve(extra);
      System.arraycopy(bytes, start, bytes, start + extra, length);
    }
    size = start - 1;
    varint(length);
    size += length;
  }

  /** What stands before a message of a length. */
  static byte[] head(int field, int length) {
    ProtoBytes head = new ProtoBytes();
    head.tag(field, LENGTH_DELIMITED);
    head.varint(length);
    return head.toBytes();
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  private void tag(int field, int wireType) {
    varint((long) field << 3 | wireType);
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      put((int) rest | 0x80);
      rest >>>= 7;
    }
    put((int) rest);
  }

  private static int varintSize(long value) {
    int size = 1;
    for (long rest = value >>> 7; rest != 0; rest >>>= 7) {
      size++;
    }
    return size;
  }

  private void put(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
  }

  private void reserve(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
    }
  }
}
