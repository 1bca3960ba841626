package dev.keelson.schema.codec.protobuf;

import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.DecodeException.Fault;
import dev.keelson.schema.codec.tree.FieldPath;
import dev.keelson.schema.codec.tree.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A cursor over protobuf bytes that knows where the message it is in ends. It trusts no length:
 * nothing is allocated before the bytes for it are there. Used by one thread.
 *
 * <p>Errors have the messages of Kubernetes' generated decoders.
 */
public final class ProtobufInput {

  private static final int MAX_VARINT_BYTES = 10;

  private final byte[] bytes;
  private int at;
  private int end;

  public ProtobufInput(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.at = from;
    this.end = to;
  }

  /** Whether the message goes on. */
  public boolean more() {
    return at < end;
  }

  /** The place in the array. */
  public int position() {
    return at;
  }

  /** Goes into a message that begins here with its length; give the result to {@link #leave}. */
  public int enter() {
    int length = length();
    int outer = end;
    end = at + length;
    return outer;
  }

  /** Goes on behind a message that has been read to its end. */
  public void leave(int outer) {
    end = outer;
  }

  /** Goes to a message whose place is known. */
  public void within(int from, int to) {
    at = from;
    end = to;
  }

  /** The tag of the next field. */
  public int tag() {
    long tag = varint();
    // Go keeps the field's number in 32 bits
    int number = (int) (tag >>> 3);
    int type = (int) tag & 7;
    if (type == Wire.GROUP_END) {
      throw wrong("proto: wiretype end group for non-group");
    }
    if (number <= 0) {
      throw wrong("proto: illegal tag " + number + " (wire type " + type + ")");
    }
    if (number >= 1 << 29) {
      // no field has it, and it would not fit a tag
      number = (1 << 29) - 1;
    }
    return Wire.tag(number, type);
  }

  /** Checks the type of a field that is to be read. */
  public void require(int type, int tag, FieldPath path) {
    if (Wire.type(tag) != type) {
      throw wrong("proto: wrong wireType = " + Wire.type(tag) + " for field " + path.fields());
    }
  }

  public long varint() {
    long value = 0;
    for (int i = 0; i < MAX_VARINT_BYTES; i++) {
      if (at >= end) {
        throw truncated();
      }
      byte b = bytes[at++];
      value |= (long) (b & 0x7F) << (7 * i);
      if (b >= 0) {
        return value;
      }
    }
    throw wrong("proto: integer overflow");
  }

  /** Eight bytes, the lowest first. */
  long fixed64() {
    if (end - at < Long.BYTES) {
      throw truncated();
    }
    long value = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      value |= (bytes[at++] & 0xFFL) << (8 * i);
    }
    return value;
  }

  /** The length that stands here; so many bytes follow it. */
  int length() {
    long length = varint();
    if (length < 0) {
      throw wrong("proto: negative length found during unmarshaling");
    }
    if (length > end - at) {
      throw truncated();
    }
    return (int) length;
  }

  /** Bytes with their length in front. */
  byte[] bytes() {
    int from = passBytes();
    return Arrays.copyOfRange(bytes, from, at);
  }

  /** Moves over bytes with their length in front; returns where they begin. */
  public int passBytes() {
    int length = length();
    at += length;
    return at - length;
  }

  /** A string with its length in front. */
  public String string() {
    int from = passBytes();
    String text = new String(bytes, from, at - from, StandardCharsets.UTF_8);
    // what is no UTF-8 reads as U+FFFD; only then is it worth a second look
    if (text.indexOf('\uFFFD') >= 0 && !Utf8.valid(bytes, from, at)) {
      throw wrong("proto: string field contains invalid UTF-8");
    }
    return text;
  }

  /** Skips an unknown field. */
  public void skip(int tag) {
    int groups = 0;
    int type = Wire.type(tag);
    while (true) {
      switch (type) {
        case Wire.VARINT -> varint();
        case Wire.FIXED64 -> forward(Long.BYTES);
        case Wire.LENGTH -> forward(length());
        case Wire.GROUP_START -> groups++;
        case Wire.GROUP_END -> {
          if (groups-- == 0) {
            throw wrong("proto: unexpected end of group");
          }
        }
        case Wire.FIXED32 -> forward(Integer.BYTES);
        default -> throw wrong("proto: illegal wireType " + type);
      }
      if (groups == 0) {
        return;
      }
      type = (int) varint() & 7;
    }
  }

  private void forward(int count) {
    if (end - at < count) {
      throw truncated();
    }
    at += count;
  }

  private static DecodeException truncated() {
    return wrong("unexpected EOF");
  }

  static DecodeException wrong(String message) {
    return new DecodeException(Fault.SHAPE, message);
  }
}
