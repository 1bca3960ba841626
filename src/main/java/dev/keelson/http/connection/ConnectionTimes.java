package dev.keelson.http.connection;

import dev.keelson.http.connection.limit.ConnectionRate;
import dev.keelson.http.connection.limit.Strangers;
import dev.keelson.http.connection.limit.UnreadResponses;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection that takes too long without a request under way: for its first request, TLS
 * handshake included, for the rest of a head, or idle between two requests. Refuses it if its
 * address has too many without credentials, and gives way if all addresses have, or if it holds
 * most of too many responses that are not read.
 *
 * <p>Confined to the event loop of the connection, except for {@link #authenticated} and {@link
 * #giveWay}.
 */
final class ConnectionTimes extends ChannelInboundHandlerAdapter implements Strangers.Stranger {

  /*
   * The deadline changes with every request, but the timer does not: when it fires too early, it is
   * set for the rest. While requests are under way there is no deadline here, since each has its own
   * (Call), and watches have none.
   *
   * Of HTTP/2, bytes between requests do not begin a head: pings and settings come at any time.
   */

  /** How long a head may take (source: ReadHeaderTimeout of kube-apiserver's server). */
  static final Duration HEAD = Duration.ofSeconds(32);

  /** How long an HTTP/2 connection may take to end gracefully (source: goAwayTimeout of Go). */
  private static final Duration GOODBYE = Duration.ofSeconds(1);

  private final Strangers strangers;
  private final UnreadResponses.Connection unread;
  private final LongSupplier nanos;
  private final AtomicBoolean counted = new AtomicBoolean();
  private volatile @Nullable ChannelHandlerContext context;
  private @Nullable Future<?> timer;

  /** When the timer fires; only with one. */
  private long fires;

  /** When the connection is closed; only while no request is under way. */
  private long deadline;

  private int running;

  /** Whether the client of HTTP/2 was told to open another connection. */
  private boolean leaving;

  /** Null until a long-running request comes, and without a limit. */
  private @Nullable ConnectionRate rate;

  /** Whether the next byte begins the head of another request. */
  private boolean idle;

  /** Null until the first request, and of HTTP/1. */
  private @Nullable HttpConnection multiplexed;

  /**
   * @param nanos the clock, as {@link System#nanoTime}
   */
  ConnectionTimes(Strangers strangers, UnreadResponses unread, LongSupplier nanos) {
    this.strangers = strangers;
    this.unread = unread.new Connection(this::giveWay);
    this.nanos = nanos;
  }

  /** The times of a connection; null if it was not accepted by the listener. */
  static @Nullable ConnectionTimes of(HttpConnection connection) {
    return connection instanceof ConnectionBase base ? of(base.channel()) : null;
  }

  /** The responses of the connection that its client has not read. */
  UnreadResponses.Connection unread() {
    return unread;
  }

  static @Nullable ConnectionTimes of(Channel channel) {
    return channel.pipeline().get(ConnectionTimes.class);
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    context = ctx;
    if (ctx.channel().remoteAddress() instanceof InetSocketAddress remote) {
      if (!strangers.enter(remote.getAddress(), this)) {
        var unused = ctx.close();
        return;
      }
      counted.set(true);
    }
    closeAfter(HEAD);
    ctx.fireChannelActive();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object bytes) {
    if (idle && multiplexed == null) {
      idle = false;
      closeAfter(HEAD);
    }
    ctx.fireChannelRead(bytes);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    authenticated();
    unread.closed();
    stopTimer();
    ctx.fireChannelInactive();
  }

  /** The head of a request is complete. */
  void began(HttpServerRequest request) {
    if (request.version() == HttpVersion.HTTP_2) {
      multiplexed = request.connection();
    }
    began();
  }

  void began() {
    running++;
    idle = false;
  }

  /**
   * A request is complete.
   *
   * @param most how long the connection may be idle
   */
  void ended(Duration most) {
    running--;
    if (running == 0) {
      idle = true;
      // a client that still sends would lose the last response if it were closed at once
      closeAfter(leaving ? GOODBYE : most);
    }
  }

  /**
   * Tells a client of HTTP/2 to send further requests on another connection (GOAWAY, RFC 9113,
   * section 6.8). This one is closed a second after its last request; does nothing to HTTP/1.
   */
  void goAway() {
    HttpConnection streams = multiplexed;
    if (streams != null && !leaving) {
      leaving = true;
      // not the last stream so far: Vert.x does not count the one whose head is being read, and
      // requests that are on their way are served as well
      HttpConnection unused = streams.goAway(0, Integer.MAX_VALUE);
    }
  }

  /** The rate of the connection, which all its long-running requests share. */
  ConnectionRate rate(long bytesPerSecond) {
    ConnectionRate known = rate;
    if (known == null) {
      known = new ConnectionRate(bytesPerSecond, nanos);
      rate = known;
    }
    return known;
  }

  /** Somebody was authenticated on the connection, or it is closed. */
  void authenticated() {
    if (counted.compareAndSet(true, false)) {
      strangers.leave(this);
    }
  }

  @Override
  public void giveWay() {
    ChannelHandlerContext loop = context;
    if (loop != null) {
      var unused = loop.close();
    }
  }

  private void closeAfter(Duration time) {
    deadline = nanos.getAsLong() + time.toNanos();
    if (timer == null || fires - deadline > 0) {
      stopTimer();
      startTimer();
    }
  }

  private void startTimer() {
    ChannelHandlerContext loop = context;
    if (loop != null && loop.channel().isActive()) {
      fires = deadline;
      timer =
          loop.executor()
              .schedule(
                  this::look, Math.max(0, deadline - nanos.getAsLong()), TimeUnit.NANOSECONDS);
    }
  }

  private void stopTimer() {
    Future<?> running = timer;
    if (running != null) {
      boolean unused = running.cancel(false);
      timer = null;
    }
  }

  private void look() {
    timer = null;
    if (running > 0) {
      return;
    }
    if (deadline - nanos.getAsLong() > 0) {
      startTimer();
    } else {
      close();
    }
  }

  private void close() {
    HttpConnection graceful = multiplexed;
    ChannelHandlerContext loop = context;
    if (graceful != null) {
      var unused = graceful.shutdown(GOODBYE.toSeconds(), TimeUnit.SECONDS);
    } else if (loop != null) {
      var unused = loop.close();
    }
  }
}
