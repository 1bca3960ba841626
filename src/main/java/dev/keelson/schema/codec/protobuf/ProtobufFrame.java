package dev.keelson.schema.codec.protobuf;

import java.nio.ByteBuffer;

/**
 * The frames of a watch in protobuf: four bytes of length, the highest first, and a WatchEvent
 * whose object is in an envelope of its own.
 */
public final class ProtobufFrame {

  // the fields of WatchEvent, and the one of its RawExtension
  private static final int TYPE = 1;
  private static final int OBJECT = 2;
  private static final int RAW = 1;

  private ProtobufFrame() {}

  /**
   * What stands in front of an event's object, which ends the frame.
   *
   * @param type such as {@code ADDED}
   * @param length of the object with its envelope
   * @throws ArithmeticException if the object is longer than a frame can be
   */
  public static byte[] head(String type, long length) {
    ProtobufOutput out = new ProtobufOutput(32).close(RAW, length);
    out.close(OBJECT, out.size() + length).string(TYPE, type);
    byte[] size = ByteBuffer.allocate(4).putInt(Math.toIntExact(out.size() + length)).array();
    return out.raw(size).toBytes();
  }
}
