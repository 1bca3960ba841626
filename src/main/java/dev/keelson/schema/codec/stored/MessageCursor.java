package dev.keelson.schema.codec.stored;

import dev.keelson.schema.codec.json.JsonTape.NotCanonicalException;
import dev.keelson.schema.codec.protobuf.Wire;

/**
 * A position in a protobuf message that advances while its fields are read. What ends early or is
 * no protobuf is {@link NotCanonicalException}. A superclass rather than a part, so that the
 * position stays a field of the transcoder. Used by one thread.
 */
abstract class MessageCursor {

  /** The array that holds the message. */
  byte[] bytes = {};

  /** The next byte to read. */
  int at;

  /** Reads {@code message} from now on. */
  final void open(byte[] message) {
    bytes = message;
  }

  /** Checks a tag. */
  static void requireTag(int tag, int number, int type) {
    if (tag != Wire.tag(number, type)) {
      throw NotCanonicalException.INSTANCE;
    }
  }

  /** Reads a tag. */
  final int tag(int limit) {
    long tag = varint(limit);
    if (tag < 8 || tag > 0x7FFF_FFFFL) {
      throw NotCanonicalException.INSTANCE;
    }
    return (int) tag;
  }

  /** Skips the value of a field. */
  final void pass(int tag, int limit) {
    switch (Wire.type(tag)) {
      case Wire.VARINT -> {
        long unused = varint(limit);
      }
      case Wire.FIXED64 -> at += Long.BYTES;
      case Wire.LENGTH -> {
        int length = length(limit);
        at += length;
      }
      case Wire.FIXED32 -> at += Integer.BYTES;
      default -> throw NotCanonicalException.INSTANCE;
    }
    if (at > limit) {
      throw NotCanonicalException.INSTANCE;
    }
  }

  /** Reads the length of what follows, which ends at {@code limit} at the latest. */
  final int length(int limit) {
    long length = varint(limit);
    if (length < 0 || length > limit - at) {
      throw NotCanonicalException.INSTANCE;
    }
    return (int) length;
  }

  /** Reads a varint that ends at {@code limit} at the latest. */
  final long varint(int limit) {
    if (at < limit && bytes[at] >= 0) {
      return bytes[at++];
    }
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (at >= limit) {
        throw NotCanonicalException.INSTANCE;
      }
      byte b = bytes[at++];
      value |= (long) (b & 0x7F) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw NotCanonicalException.INSTANCE;
  }
}
