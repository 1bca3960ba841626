package dev.keelson.http.stream;

import io.vertx.core.buffer.Buffer;

/**
 * Reads the frames of a SPDY/3.1 server. Data passes in parts as it comes; of control frames, only
 * the first bytes count: the headers of replies say nothing that is needed, and are not inflated.
 * Confined to one thread.
 */
final class SpdyReader {

  /** Takes what the server sends. */
  interface Sink {

    /** A part of the data of a stream; not empty. */
    void data(int stream, Buffer bytes);

    /** The server sends no more on a stream, or has reset it. */
    void ended(int stream);

    /** A stream that the server opens. */
    void opened(int stream);

    /** A ping, to be answered with the same number. */
    void ping(int id);
  }

  private static final int HEAD = 8;
  private static final int SYN_STREAM = 1;
  private static final int SYN_REPLY = 2;
  private static final int RST_STREAM = 3;
  private static final int PING = 6;
  private static final int FIN = 1;

  /** The number of a stream or of a ping follows the head. */
  private static final int NUMBER = 4;

  private final Sink sink;
  private final byte[] head = new byte[HEAD + NUMBER];
  private int headLength;
  private int remaining;

  SpdyReader(Sink sink) {
    this.sink = sink;
  }

  /** Adds what the server sent. */
  void add(Buffer bytes) {
    int at = 0;
    while (at < bytes.length()) {
      if (headLength < needed()) {
        head[headLength++] = bytes.getByte(at++);
        if (headLength == HEAD) {
          remaining = (head[5] & 0xff) << 16 | (head[6] & 0xff) << 8 | (head[7] & 0xff);
        }
        if (headLength == needed()) {
          begin();
        }
      } else {
        int taken = Math.min(remaining, bytes.length() - at);
        if (!isControl()) {
          sink.data(number(0), bytes.getBuffer(at, at + taken));
        }
        at += taken;
        remaining -= taken;
        endIfComplete();
      }
    }
  }

  private boolean isControl() {
    return head[0] < 0;
  }

  /** The length of the head, with the number of a control frame if it is long enough. */
  private int needed() {
    boolean numbered = headLength >= HEAD && isControl() && payloadLength() >= NUMBER;
    return numbered ? HEAD + NUMBER : HEAD;
  }

  private int payloadLength() {
    return (head[5] & 0xff) << 16 | (head[6] & 0xff) << 8 | (head[7] & 0xff);
  }

  private int number(int at) {
    return (head[at] & 0x7f) << 24
        | (head[at + 1] & 0xff) << 16
        | (head[at + 2] & 0xff) << 8
        | (head[at + 3] & 0xff);
  }

  private void begin() {
    if (headLength > HEAD) {
      remaining -= NUMBER;
    }
    endIfComplete();
  }

  private void endIfComplete() {
    if (remaining > 0) {
      return;
    }
    boolean numbered = headLength > HEAD;
    boolean fin = (head[4] & FIN) != 0;
    headLength = 0;
    if (!isControl()) {
      if (fin) {
        sink.ended(number(0));
      }
      return;
    }
    if (!numbered) {
      return;
    }
    int type = (head[2] & 0xff) << 8 | (head[3] & 0xff);
    switch (type) {
      case SYN_STREAM -> sink.opened(number(HEAD));
      case SYN_REPLY -> {
        if (fin) {
          sink.ended(number(HEAD));
        }
      }
      case RST_STREAM -> sink.ended(number(HEAD));
      // all four bytes count
      case PING -> sink.ping(number(HEAD) | (head[HEAD] & 0x80) << 24);
      default -> {
        // SETTINGS, GOAWAY, HEADERS and WINDOW_UPDATE: kubelets know no windows
      }
    }
  }
}
