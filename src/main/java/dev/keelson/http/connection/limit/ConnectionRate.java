package dev.keelson.http.connection.limit;

import java.util.function.LongSupplier;

/**
 * The bytes a second that the long-running requests of one connection may send together, as a token
 * bucket that holds the bytes of a tenth of a second ({@code --max-connection-bytes-per-sec}).
 * Confined to the event loop of the connection.
 */
public final class ConnectionRate {

  private static final long SECOND_NANOS = 1_000_000_000;
  private static final long BURST_NANOS = SECOND_NANOS / 10;
  private static final int MOST_AT_ONCE = 64 * 1024;

  private final long bytesPerSecond;
  private final LongSupplier nanos;

  /** When everything that was sent is paid for. */
  private long paid;

  /**
   * @param bytesPerSecond at least 1
   * @param nanos the clock, as {@link System#nanoTime}
   */
  public ConnectionRate(long bytesPerSecond, LongSupplier nanos) {
    if (bytesPerSecond < 1) {
      throw new IllegalArgumentException("bytes a second: " + bytesPerSecond);
    }
    this.bytesPerSecond = bytesPerSecond;
    this.nanos = nanos;
    this.paid = nanos.getAsLong() - BURST_NANOS;
  }

  /** The limit. */
  public long bytesPerSecond() {
    return bytesPerSecond;
  }

  /** The bytes that are sent in one write at most, from 1 to 64 KiB. */
  public int piece() {
    return Math.clamp(bytesPerSecond * BURST_NANOS / SECOND_NANOS, 1, MOST_AT_ONCE);
  }

  /** Bytes are sent, whether or not they were due. */
  public void take(int bytes) {
    long earliest = nanos.getAsLong() - BURST_NANOS;
    paid = (paid - earliest > 0 ? paid : earliest) + bytes * SECOND_NANOS / bytesPerSecond;
  }

  /** How long nothing may be sent, in nanoseconds; 0 if a piece is due. */
  public long waitNanos() {
    return Math.max(0, paid - nanos.getAsLong());
  }
}
