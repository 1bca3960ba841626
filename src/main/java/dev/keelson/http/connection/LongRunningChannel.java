package dev.keelson.http.connection;

import dev.keelson.http.Body;
import dev.keelson.http.Body.Payload;
import dev.keelson.http.connection.limit.ConnectionRate;
import dev.keelson.http.connection.limit.PacedWrites;
import dev.keelson.http.connection.limit.UnreadResponses;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.timeout.IdleStateHandler;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.impl.ContextInternal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The channel of a long-running body over a chunked response or a WebSocket. All state is confined
 * to the connection's event loop.
 */
abstract sealed class LongRunningChannel implements Body.Channel {

  /**
   * The context of the request and the flush scheduler of its event loop.
   *
   * @param unread what the client of the connection has not read; null if it was not accepted by
   *     the listener
   * @param rate how fast the connection may send; null for no limit
   */
  record Place(
      Vertx vertx,
      ContextInternal context,
      FlushScheduler loop,
      UnreadResponses.@Nullable Connection unread,
      @Nullable ConnectionRate rate) {}

  private static final Logger LOG = Logger.getLogger(LongRunningChannel.class);

  private final Place place;
  private final List<Long> timers = new ArrayList<>(2);
  private Runnable onGone = () -> {};
  private Runnable onShutdown = this::end;
  private boolean ended;

  private LongRunningChannel(Place place) {
    this.place = place;
    place.loop.count(1);
  }

  @Override
  public void onGone(Runnable action) {
    onGone = action;
  }

  @Override
  public void onShutdown(Runnable action) {
    onShutdown = action;
  }

  /** Runs a step of the body; its defect ends the body, as the client waits for more otherwise. */
  void step(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      LOG.errorf(e, "event=stream-failed");
      cut();
    }
  }

  /** Runs the shutdown action of the body. */
  void shutDown() {
    if (!ended) {
      step(onShutdown);
    }
  }

  @Override
  public void execute(Runnable action) {
    place.context.runOnContext(onLoop -> step(action));
  }

  @Override
  public void wake(Runnable action) {
    place.loop.wake(() -> place.context.dispatch(() -> step(action)));
  }

  @Override
  public void after(Duration delay, Runnable action) {
    afterMillis(Math.max(1, delay.toMillis()), action);
  }

  private void afterMillis(long millis, Runnable action) {
    if (!ended) {
      timers.add(
          place.vertx.setTimer(
              millis,
              fired -> {
                timers.remove(fired);
                step(action);
              }));
    }
  }

  /** How fast the connection may send; null for no limit. */
  @Nullable ConnectionRate rate() {
    return place.rate;
  }

  /** Runs an action when bytes are due; timers have whole milliseconds. */
  void whenDue(long nanos, Runnable action) {
    afterMillis(Math.ceilDiv(nanos, 1_000_000), action);
  }

  /** The connection is closed or the body has ended: nothing more is sent. */
  void gone() {
    if (!ended) {
      ended = true;
      place.loop.count(-1);
      timers.forEach(place.vertx::cancelTimer);
      onGone.run();
    }
  }

  boolean isEnded() {
    return ended;
  }

  /** Counts bytes as held for a client that does not read until they are sent. */
  void hold(long length, Future<Void> sent) {
    UnreadResponses.hold(place.unread, length, sent);
  }

  private static void append(Buffer buffer, Payload payload) {
    for (Payload.Slice slice : payload.slices()) {
      buffer.appendBytes(slice.array(), slice.offset(), slice.length());
    }
  }

  /** A response of unknown length that writes all pending events at once. */
  static sealed class Response extends LongRunningChannel {
    private final HttpServerResponse response;
    private final @Nullable PacedWrites paced;

    Response(Place place, HttpServerResponse response) {
      super(place);
      this.response = response;
      ConnectionRate rate = rate();
      paced =
          rate == null
              ? null
              : PacedWrites.ofBytes(
                  rate, this::whenDue, bytes -> send(List.of(Payload.of(bytes)), bytes.length));
    }

    @Override
    public void write(List<Payload> events) {
      if (isEnded()) {
        return;
      }
      long length = 0;
      for (Payload event : events) {
        length += event.length();
      }
      if (paced == null) {
        send(events, Math.toIntExact(length));
      } else {
        Buffer all = Buffer.buffer(Math.toIntExact(length));
        events.forEach(event -> append(all, event));
        paced.write(all.getBytes());
      }
    }

    /** Sends events that have {@code length} bytes together. */
    void send(List<Payload> events, int length) {
      Buffer piece = Buffer.buffer(length);
      events.forEach(event -> append(piece, event));
      Future<Void> written = response.write(piece);
      hold(length, written);
      written.onFailure(failed -> gone());
    }

    @Override
    public boolean full() {
      return response.writeQueueFull() || (paced != null && paced.full());
    }

    @Override
    public void onDrain(Runnable action) {
      response.drainHandler(drained -> step(action));
      if (paced != null) {
        paced.onDrain(action);
      }
    }

    @Override
    public void end() {
      boolean first = !isEnded();
      if (first && paced != null) {
        paced.flush();
      }
      gone();
      if (first) {
        response.end().onFailure(gone -> {});
      }
    }

    @Override
    public void cut() {
      gone();
      // the stream of HTTP/2, the connection of HTTP/1.1
      var unused = response.reset();
    }
  }

  /**
   * The same over HTTP/1.1, where each write is a chunk (RFC 9112, section 7.1). The chunk is
   * assembled here and enters the pipeline below the response encoder, which would create three
   * buffers with a promise each, and TLS would copy them together again: that costs as much as the
   * encryption.
   */
  static final class Chunked extends Response {

    /** Maximum overhead of a chunk in bytes: eight digits and two line ends. */
    private static final int AROUND = 12;

    private static final int END_OF_LINE = ('\r' << 8) | '\n';

    private final ChannelHandlerContext encoder;
    private final @Nullable IdleStateHandler idle;

    /**
     * @param response a response whose head has been written
     * @param encoder the context of the connection's response encoder
     */
    Chunked(Place place, HttpServerResponse response, ChannelHandlerContext encoder) {
      super(place, response);
      this.encoder = encoder;
      idle = encoder.pipeline().get(IdleStateHandler.class);
    }

    @Override
    void send(List<Payload> events, int length) {
      if (length == 0) {
        // would be the last chunk
        return;
      }
      ByteBuf chunk = encoder.alloc().heapBuffer(length + AROUND);
      chunk.writeCharSequence(Integer.toHexString(length), StandardCharsets.US_ASCII);
      chunk.writeShort(END_OF_LINE);
      for (Payload event : events) {
        for (Payload.Slice slice : event.slices()) {
          chunk.writeBytes(slice.array(), slice.offset(), slice.length());
        }
      }
      chunk.writeShort(END_OF_LINE);
      // a failure closes the connection and completes the request
      if (isBehind()) {
        Promise<Void> sent = Promise.promise();
        hold(length, sent.future());
        var unused = encoder.writeAndFlush(chunk).addListener(done -> sent.tryComplete());
      } else {
        var unused = encoder.writeAndFlush(chunk, encoder.voidPromise());
      }
      if (idle != null) {
        // it is above the encoder in the pipeline and did not see the write
        idle.resetWriteTimeout();
      }
    }

    /** Whether the socket has not taken what was written before. */
    private boolean isBehind() {
      ChannelOutboundBuffer waiting = encoder.channel().unsafe().outboundBuffer();
      return waiting != null && waiting.totalPendingWriteBytes() > 0;
    }
  }

  /**
   * A WebSocket: each event is a text frame if it is JSON, otherwise a binary frame without the
   * length prefix of a plain response.
   */
  static final class Socket extends LongRunningChannel {
    /** Size of the length prefix of a binary event, in bytes. */
    private static final int LENGTH = 4;

    private final ServerWebSocket socket;
    private final HttpConnection connection;
    private final boolean text;
    private final @Nullable PacedWrites paced;

    Socket(Place place, ServerWebSocket socket, HttpConnection connection, boolean text) {
      super(place);
      this.text = text;
      this.socket = socket;
      this.connection = connection;
      ConnectionRate rate = rate();
      paced = rate == null ? null : PacedWrites.ofMessages(rate, this::whenDue, this::send);
      socket.exceptionHandler(broken -> gone());
    }

    @Override
    public void write(List<Payload> events) {
      for (Payload event : events) {
        if (isEnded()) {
          return;
        }
        byte[] bytes = event.toByteArray();
        if (paced == null) {
          send(bytes);
        } else {
          paced.write(bytes);
        }
      }
    }

    private void send(byte[] bytes) {
      Future<Void> written =
          text
              ? socket.writeFinalTextFrame(new String(bytes, StandardCharsets.UTF_8))
              : socket.writeFinalBinaryFrame(
                  Buffer.buffer(Arrays.copyOfRange(bytes, LENGTH, bytes.length)));
      hold(bytes.length, written);
      written.onFailure(failed -> gone());
    }

    @Override
    public boolean full() {
      // one that is closed takes everything, as a response does, and throws if it is asked
      return (!socket.isClosed() && socket.writeQueueFull()) || (paced != null && paced.full());
    }

    @Override
    public void onDrain(Runnable action) {
      socket.drainHandler(drained -> step(action));
      if (paced != null) {
        paced.onDrain(action);
      }
    }

    @Override
    public void end() {
      boolean first = !isEnded();
      if (first && paced != null) {
        paced.flush();
      }
      gone();
      if (first) {
        socket.close().onFailure(gone -> {});
      }
    }

    @Override
    public void cut() {
      gone();
      connection.close().onFailure(gone -> {});
    }
  }
}
