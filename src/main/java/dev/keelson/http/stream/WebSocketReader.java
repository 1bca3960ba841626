package dev.keelson.http.stream;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;

/**
 * Reads the frames of a WebSocket client (RFC 6455, section 5). Payloads pass in parts as they
 * come, so that memory does not grow with the size of a frame. Confined to one thread.
 */
final class WebSocketReader {

  /** Takes what the client sends. */
  interface Sink {

    /**
     * A part of a message; not empty.
     *
     * @param begins whether its first byte is the first of the message
     */
    void part(Buffer bytes, boolean begins);

    /** A ping, to be answered with its payload. */
    void ping(Buffer payload);

    /** The client closes; nothing follows. */
    void closed();
  }

  private static final int CONTINUATION = 0;
  private static final int TEXT = 1;
  private static final int BINARY = 2;
  private static final int CLOSE = 8;
  private static final int PING = 9;
  private static final int PONG = 10;

  private static final int LONGEST_CONTROL = 125;

  private final Sink sink;

  /** The head of a frame until it is complete: two bytes, the length, four of the mask. */
  private final byte[] head = new byte[14];

  private int headLength;
  private int opcode;
  private boolean last;
  private long remaining;
  private int maskAt;
  private int maskOffset;

  /** Whether a message has begun and not ended. */
  private boolean inMessage;

  /** Whether the next byte of data is the first of its message. */
  private boolean begins;

  private Buffer control = Buffer.buffer();
  private boolean closed;

  WebSocketReader(Sink sink) {
    this.sink = sink;
  }

  /**
   * Adds what the client sent.
   *
   * @throws IOException if these are no frames of a client
   */
  void add(Buffer bytes) throws IOException {
    int at = 0;
    while (at < bytes.length() && !closed) {
      if (headLength < needed()) {
        head[headLength++] = bytes.getByte(at++);
        if (headLength == needed()) {
          begin();
        }
      } else {
        int taken = (int) Math.min(remaining, bytes.length() - at);
        Buffer part = unmasked(bytes, at, taken);
        at += taken;
        remaining -= taken;
        pass(part);
      }
    }
  }

  /** The length of the head, as far as it is known. */
  private int needed() {
    boolean masked = head[1] < 0;
    if (headLength < 2 || !masked) {
      return 2;
    }
    return 6
        + switch (head[1] & 0x7f) {
          case 126 -> 2;
          case 127 -> 8;
          default -> 0;
        };
  }

  private void begin() throws IOException {
    last = (head[0] & 0x80) != 0;
    opcode = head[0] & 0x0f;
    maskAt = headLength - 4;
    maskOffset = 0;
    remaining = head[1] & 0x7f;
    if (maskAt > 2) {
      remaining = 0;
      for (int i = 2; i < maskAt; i++) {
        remaining = remaining << 8 | (head[i] & 0xff);
      }
    }
    check();
    if (opcode == TEXT || opcode == BINARY) {
      begins = true;
    }
    if (opcode < CLOSE) {
      inMessage = !last;
    }
    if (remaining == 0) {
      pass(Buffer.buffer());
    }
  }

  private void check() throws IOException {
    if ((head[0] & 0x70) != 0) {
      throw new IOException("reserved bits of a WebSocket frame are set");
    }
    if ((head[1] & 0x80) == 0) {
      throw new IOException("a WebSocket frame of a client is not masked");
    }
    boolean known =
        switch (opcode) {
          case CONTINUATION -> inMessage;
          case TEXT, BINARY -> !inMessage;
          case CLOSE, PING, PONG -> last && remaining <= LONGEST_CONTROL;
          default -> false;
        };
    if (!known || remaining < 0) {
      throw new IOException("unexpected WebSocket frame with the opcode " + opcode);
    }
  }

  private Buffer unmasked(Buffer bytes, int from, int length) {
    byte[] plain = bytes.getBytes(from, from + length);
    for (int i = 0; i < length; i++) {
      plain[i] ^= head[maskAt + (maskOffset + i & 3)];
    }
    maskOffset = maskOffset + length & 3;
    return Buffer.buffer(plain);
  }

  private void pass(Buffer part) {
    if (remaining == 0) {
      headLength = 0;
    }
    if (opcode < CLOSE) {
      if (part.length() > 0) {
        boolean first = begins;
        begins = false;
        sink.part(part, first);
      }
      return;
    }
    control.appendBuffer(part);
    if (remaining > 0) {
      return;
    }
    Buffer payload = control;
    control = Buffer.buffer();
    if (opcode == PING) {
      sink.ping(payload);
    } else if (opcode == CLOSE) {
      closed = true;
      sink.closed();
    }
  }
}
