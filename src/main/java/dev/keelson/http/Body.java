package dev.keelson.http;

import java.time.Duration;
import java.util.List;

/** What an answer carries. */
public sealed interface Body {

  /**
   * The bytes of an answer as a sequence of slices, so that stored bytes are sent without being
   * copied into one array.
   *
   * @param slices the parts in order
   */
  record Payload(List<Slice> slices) implements Body {

    /** No bytes. */
    public static final Payload EMPTY = new Payload(List.of());

    /** A part of an array that nobody changes any more. */
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

  /** A body that is made while it is sent, so that its size does not matter. */
  non-sealed interface Streamed extends Body {

    /**
     * Writes the body; runs on the thread of the request, once. What it throws breaks the
     * connection off, so that the client cannot take a part for the whole.
     */
    void writeTo(Sink sink) throws InterruptedException;
  }

  /** Takes the parts of a streamed body. */
  interface Sink {

    /**
     * Sends a part; waits while the client is behind. Throws a {@link ClientGoneException} when it
     * has gone.
     */
    void write(Payload part) throws InterruptedException;
  }

  /** The client has closed the connection. */
  final class ClientGoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Says so. */
    public ClientGoneException() {
      super("the client has gone");
    }
  }

  /** A body that goes on for as long as both sides like: a watch. */
  non-sealed interface LongRunning extends Body {

    /**
     * Begins to send; runs on the connection's event loop, as everything that the channel calls
     * back does, and never blocks.
     */
    void start(Channel channel);

    /** The client has gone before the body began; gives back what it holds. */
    void abandon();
  }

  /**
   * The way to the client of a live body. Used on its event loop only, but for {@link #execute} and
   * {@link #wake}.
   */
  interface Channel {

    /** Sends events, each of which is one frame where the protocol has frames. */
    void write(List<Payload> events);

    /** Whether the client is behind; {@code onDrain} runs when it has caught up. */
    boolean full();

    /** Says what to do when the client has caught up. */
    void onDrain(Runnable action);

    /** Says what to do when the client has gone. */
    void onGone(Runnable action);

    /** Says what to do when the server goes down: say the last word and end. */
    void onShutdown(Runnable action);

    /** Ends the body in an orderly way. */
    void end();

    /** Ends the body at once, without waiting for what the client has not taken yet. */
    void cut();

    /**
     * Runs something on the event loop when there is something to send, together with the other
     * channels of the loop; may be called from any thread.
     */
    void wake(Runnable action);

    /** Runs something on the event loop; may be called from any thread. */
    void execute(Runnable action);

    /** Runs something later; the timer ends with the channel. */
    void after(Duration delay, Runnable action);
  }
}
