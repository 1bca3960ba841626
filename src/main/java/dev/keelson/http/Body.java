package dev.keelson.http;

import io.vertx.core.net.NetSocket;
import java.time.Duration;
import java.util.List;

/** The body of a response. */
public sealed interface Body {

  /**
   * The bytes of a complete body as slices, so that stored bytes are sent without copying them into
   * one array.
   *
   * @param slices the parts in order
   */
  record Payload(List<Slice> slices) implements Body {

    /** No bytes. */
    public static final Payload EMPTY = new Payload(List.of());

    /** A part of an array that is no longer modified. */
    public record Slice(byte[] array, int offset, int length) {}

    public Payload {
      slices = List.copyOf(slices);
    }

    /** One whole array. */
    public static Payload of(byte[] bytes) {
      return bytes.length == 0 ? EMPTY : new Payload(List.of(new Slice(bytes, 0, bytes.length)));
    }

    /** The number of bytes. */
    public long length() {
      long length = 0;
      for (Slice slice : slices) {
        length += slice.length();
      }
      return length;
    }

    /** All bytes in one new array. */
    public byte[] toByteArray() {
      byte[] all = new byte[Math.toIntExact(length())];
      int at = 0;
      for (Slice slice : slices) {
        System.arraycopy(slice.array(), slice.offset(), all, at, slice.length());
        at += slice.length();
      }
      return all;
    }
  }

  /** A body that is produced while it is sent, so that memory does not grow with its size. */
  non-sealed interface Streamed extends Body {

    /**
     * Writes the body; called once, on the request's thread. An exception closes the connection, so
     * that the client does not take a partial body for complete.
     */
    void writeTo(Sink sink) throws InterruptedException;

    /**
     * Ends a body that has not been written; does nothing to one that is, or was. Runs on any
     * thread and must not block.
     */
    default void abandon() {}
  }

  /** The body of another server's response, passed on as it comes. */
  non-sealed interface Relayed extends Body {

    /**
     * Writes the body; called once, on the request's thread. An exception closes the connection, so
     * that the client does not take a partial body for complete.
     */
    void writeTo(Sink sink) throws InterruptedException;

    /** Releases the other server's connection, before or while the body is written. */
    void abandon();
  }

  /** What follows a switch of protocols (status 101): the connection is no longer HTTP. */
  non-sealed interface Upgraded extends Body {

    /**
     * Takes the client's connection over; runs on its event loop after the head was sent.
     *
     * @param connection paused
     */
    void take(NetSocket connection);

    /** Runs once, on the connection's event loop, when a connection that was taken is closed. */
    default void ended() {}

    /** Releases resources if the client disconnected before {@link #take}. */
    void abandon();
  }

  /** Takes the parts of a streamed body. */
  interface Sink {

    /**
     * Sends a part; blocks while the write queue is full. Throws a {@link ClientGoneException} if
     * the client has disconnected.
     */
    void write(Payload part) throws InterruptedException;
  }

  /** The client has disconnected. */
  final class ClientGoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception, without a stack trace: it ends a response, and is no error. */
    public ClientGoneException() {
      super("the client has disconnected", null, false, false);
    }
  }

  /** The body of a long-running request: a watch. */
  non-sealed interface LongRunning extends Body {

    /**
     * Starts to send; runs on the connection's event loop, as all callbacks of the channel, and
     * must not block.
     */
    void start(Channel channel);

    /** Releases resources if the client disconnected before {@link #start}. */
    void abandon();
  }

  /**
   * The connection of a long-running body. Confined to its event loop, except {@link #execute} and
   * {@link #wake}.
   */
  interface Channel {

    /** Sends events, each of which is one frame where the protocol has frames. */
    void write(List<Payload> events);

    /** Whether the write queue is full; {@code onDrain} runs when it has drained. */
    boolean full();

    /** Sets the action to run when the write queue has drained. */
    void onDrain(Runnable action);

    /** Sets the action to run when the client has disconnected. */
    void onGone(Runnable action);

    /** Sets the action to run when the server shuts down; it must end the body. */
    void onShutdown(Runnable action);

    /** Ends the body after pending writes. */
    void end();

    /** Resets the stream or closes the connection without waiting for pending writes. */
    void cut();

    /**
     * Schedules an action that sends events, together with the other channels of the event loop;
     * may be called from any thread.
     */
    void wake(Runnable action);

    /** Runs an action on the event loop; may be called from any thread. */
    void execute(Runnable action);

    /** Runs an action after a delay; cancelled when the channel ends. */
    void after(Duration delay, Runnable action);
  }
}
