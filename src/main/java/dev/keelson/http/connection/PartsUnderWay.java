package dev.keelson.http.connection;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The parts of streamed bodies that are being sent, which decide how much of each its event loop
 * encrypts and writes at a time. A part is some hundred KiB, which takes an event loop a part of a
 * millisecond: nothing for one list, but a request that comes in behind those of a hundred lists
 * waits for all of them, two or three times until it is answered. Safe for use by several threads.
 */
final class PartsUnderWay {

  /** So many parts at once are sent whole, which needs the fewest system calls. */
  private static final int FEW = 4;

  /** Four TLS records of the largest size: less costs more for each byte. */
  private static final int PIECE = 64 * 1024;

  private final AtomicInteger parts = new AtomicInteger();

  void began() {
    int unused = parts.incrementAndGet();
  }

  void ended() {
    int unused = parts.decrementAndGet();
  }

  /** The bytes that one part may write before the event loop goes on to others. */
  int piece() {
    return parts.get() <= FEW ? Integer.MAX_VALUE : PIECE;
  }
}
