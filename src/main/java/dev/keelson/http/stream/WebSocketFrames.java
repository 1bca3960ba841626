package dev.keelson.http.stream;

import io.vertx.core.buffer.Buffer;

/** The frames of a WebSocket server, which are not masked (RFC 6455, section 5). */
final class WebSocketFrames {

  private static final int LAST = 0x80;
  private static final int BINARY = 2;
  private static final int CLOSE = 8;
  private static final int PONG = 10;

  /** The connection is closed after what it was for (RFC 6455, section 7.4.1). */
  static final int NORMAL = 1000;

  /** A frame that the protocol does not allow. */
  static final int PROTOCOL_ERROR = 1002;

  private WebSocketFrames() {}

  /** A message of bytes. */
  static Buffer binary(Buffer payload) {
    return head(BINARY, payload.length()).appendBuffer(payload);
  }

  /** A message of a channel. */
  static Buffer binary(int channel, Buffer payload) {
    return head(BINARY, payload.length() + 1).appendByte((byte) channel).appendBuffer(payload);
  }

  /** The answer to a ping. */
  static Buffer pong(Buffer payload) {
    return head(PONG, payload.length()).appendBuffer(payload);
  }

  /** The end of the connection. */
  static Buffer close(int code) {
    return head(CLOSE, 2).appendShort((short) code);
  }

  private static Buffer head(int opcode, int length) {
    Buffer head = Buffer.buffer(length + 10).appendByte((byte) (LAST | opcode));
    if (length < 126) {
      return head.appendByte((byte) length);
    }
    if (length <= 0xffff) {
      return head.appendByte((byte) 126).appendShort((short) length);
    }
    return head.appendByte((byte) 127).appendLong(length);
  }
}
