package dev.keelson.http.stream;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/**
 * The frames of a SPDY/3.1 client, and of a server that answers commands itself. Header blocks are
 * a zlib stream whose parts are stored, not deflated: five short headers are not worth the memory
 * of a deflater for each connection.
 */
final class SpdyFrames {

  private static final int CONTROL = 0x80030000;
  private static final int SYN_STREAM = 1;
  private static final int SYN_REPLY = 2;
  private static final int RST_STREAM = 3;
  private static final int PING = 6;
  private static final int FIN = 0x01000000;
  private static final int REFUSED_STREAM = 3;
  private static final int MOST_DATA = 0xffffff;

  /** A zlib head (RFC 1950) that names SPDY/3's dictionary by its checksum. */
  private static final byte[] ZLIB = {
    0x78, (byte) 0xbb, (byte) 0xe3, (byte) 0xc6, (byte) 0xa7, (byte) 0xc2
  };

  private SpdyFrames() {}

  /**
   * Opens a stream with one header.
   *
   * @param first whether it is the connection's first, which begins the zlib stream
   */
  static Buffer open(int stream, String name, String value, boolean first) {
    Buffer headers = Buffer.buffer().appendInt(1);
    text(headers, name);
    text(headers, value);
    Buffer block = block(headers, first);
    return Buffer.buffer()
        .appendInt(CONTROL | SYN_STREAM)
        .appendInt(10 + block.length())
        .appendInt(stream)
        .appendInt(0)
        .appendShort((short) 0)
        .appendBuffer(block);
  }

  /**
   * Accepts a stream that the other side opens, without headers.
   *
   * @param first whether it is the connection's first reply, which begins the zlib stream
   */
  static Buffer reply(int stream, boolean first) {
    Buffer block = block(Buffer.buffer().appendInt(0), first);
    return Buffer.buffer()
        .appendInt(CONTROL | SYN_REPLY)
        .appendInt(4 + block.length())
        .appendInt(stream)
        .appendBuffer(block);
  }

  private static Buffer block(Buffer headers, boolean first) {
    Buffer block = Buffer.buffer();
    if (first) {
      block.appendBytes(ZLIB);
    }
    stored(block, headers);
    // an empty part makes the reader pass on what it has
    stored(block, Buffer.buffer());
    return block;
  }

  private static void text(Buffer headers, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    headers.appendInt(bytes.length).appendBytes(bytes);
  }

  /** A stored part (RFC 1951, section 3.2.4). */
  private static void stored(Buffer block, Buffer bytes) {
    block
        .appendByte((byte) 0)
        .appendShortLE((short) bytes.length())
        .appendShortLE((short) ~bytes.length())
        .appendBuffer(bytes);
  }

  /** Data of a stream, at most 16 MiB. */
  static Buffer data(int stream, Buffer bytes) {
    if (bytes.length() > MOST_DATA) {
      throw new IllegalArgumentException(bytes.length() + " bytes are too many for a frame");
    }
    return Buffer.buffer(8 + bytes.length())
        .appendInt(stream)
        .appendInt(bytes.length())
        .appendBuffer(bytes);
  }

  /** The end of what this side sends on a stream. */
  static Buffer end(int stream) {
    return Buffer.buffer().appendInt(stream).appendInt(FIN);
  }

  /** Refuses a stream that the other side opens. */
  static Buffer refuse(int stream) {
    return Buffer.buffer()
        .appendInt(CONTROL | RST_STREAM)
        .appendInt(8)
        .appendInt(stream)
        .appendInt(REFUSED_STREAM);
  }

  /** Answers a ping. */
  static Buffer ping(int id) {
    return Buffer.buffer().appendInt(CONTROL | PING).appendInt(4).appendInt(id);
  }
}
