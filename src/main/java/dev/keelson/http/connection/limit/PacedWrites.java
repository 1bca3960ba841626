package dev.keelson.http.connection.limit;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Sends what it is given no faster than its connection may. Nothing waits on a thread: a timer of
 * the event loop sends the next piece. Confined to the event loop of the connection.
 */
public final class PacedWrites {

  /** Runs actions on the event loop later. */
  @FunctionalInterface
  public interface Timer {

    /** Runs {@code action} after {@code nanos} nanoseconds. */
    void after(long nanos, Runnable action);
  }

  private final ConnectionRate rate;
  private final int piece;
  private final Timer timer;
  private final Consumer<byte[]> connection;
  private final Deque<byte[]> waiting = new ArrayDeque<>();
  private Runnable onDrain = () -> {};
  private boolean planned;

  private PacedWrites(ConnectionRate rate, int piece, Timer timer, Consumer<byte[]> connection) {
    this.rate = rate;
    this.piece = piece;
    this.timer = timer;
    this.connection = connection;
  }

  /** Of a stream of bytes, which may be sent in pieces. */
  public static PacedWrites ofBytes(ConnectionRate rate, Timer timer, Consumer<byte[]> connection) {
    return new PacedWrites(rate, rate.piece(), timer, connection);
  }

  /** Of messages, each of which is sent as a whole. */
  public static PacedWrites ofMessages(
      ConnectionRate rate, Timer timer, Consumer<byte[]> connection) {
    return new PacedWrites(rate, Integer.MAX_VALUE, timer, connection);
  }

  /** Sends bytes when they are due. */
  public void write(byte[] bytes) {
    waiting.add(bytes);
    sendWhatIsDue();
  }

  /** Whether bytes wait, or none may be sent. */
  public boolean full() {
    return !waiting.isEmpty() || rate.waitNanos() > 0;
  }

  /** Sets the action that runs when bytes may be sent again. */
  public void onDrain(Runnable action) {
    onDrain = action;
  }

  /** Sends at once what waits: the body ends, and must not end within an event. */
  public void flush() {
    for (byte[] each = waiting.poll(); each != null; each = waiting.poll()) {
      send(each);
    }
  }

  private void sendWhatIsDue() {
    while (!waiting.isEmpty() && rate.waitNanos() == 0) {
      byte[] next = waiting.remove();
      if (next.length > piece) {
        waiting.addFirst(Arrays.copyOfRange(next, piece, next.length));
        next = Arrays.copyOf(next, piece);
      }
      send(next);
    }
    long wait = rate.waitNanos();
    if (wait > 0 && !planned) {
      planned = true;
      timer.after(wait, this::due);
    }
  }

  private void due() {
    planned = false;
    sendWhatIsDue();
    if (!full()) {
      onDrain.run();
    }
  }

  private void send(byte[] bytes) {
    rate.take(bytes.length);
    connection.accept(bytes);
  }
}
