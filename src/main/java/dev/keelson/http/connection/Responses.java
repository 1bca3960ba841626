package dev.keelson.http.connection;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.Body.Payload;
import dev.keelson.http.connection.limit.ConnectionRate;
import dev.keelson.http.connection.limit.UnreadResponses;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.traffic.ChannelTrafficShapingHandler;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Writes responses to connections and tracks the long-running ones. */
final class Responses {

  private static final Logger LOG = Logger.getLogger(Responses.class);

  /**
   * Maximum number of slices of a composite buffer; above it, copying into one array is cheaper.
   */
  private static final int MOST_SLICES = 64;

  /** The name that the HTTP server gives its handler of a connection. */
  private static final String TUNNEL = "handler";

  private static final long SHAPING_MILLIS = 100;
  private static final long MOST_WAIT_MILLIS = Duration.ofHours(1).toMillis();

  /** Watches that end a second at least while the server stops (source: genericapiserver.go). */
  private static final int LEAST_ENDS_A_SECOND = 200;

  private final Vertx vertx;
  private final ResponseHead head;
  private final Set<LongRunningChannel> channels = ConcurrentHashMap.newKeySet();
  private final Map<EventLoop, FlushScheduler> loops = new ConcurrentHashMap<>();

  Responses(Vertx vertx, ResponseHead head) {
    this.vertx = vertx;
    this.head = head;
  }

  /**
   * The target of a response and the actions on completion.
   *
   * @param unread the responses of the connection that its client has not read; null if it was not
   *     accepted by the listener
   * @param rate how fast long-running requests may send on the connection; null for no limit
   */
  record Target(
      HttpServerRequest request,
      Context context,
      RequestCompletion end,
      UnreadResponses.@Nullable Connection unread,
      @Nullable ConnectionRate rate) {}

  /** Writes a response that is not streamed; on the event loop of the request. */
  void write(Target target, ApiResponse answer) {
    HttpServerResponse response = target.request().response();
    boolean gone = response.ended() || response.closed();
    switch (answer.body()) {
      case Payload payload -> {
        if (!gone) {
          head.write(response, answer);
          // body frames would be a protocol error in HTTP/2 (RFC 9113, section 8.1)
          boolean bare = target.request().method().equals(HttpMethod.HEAD);
          Future<Void> sent = bare ? response.end() : response.end(buffer(payload));
          UnreadResponses.hold(
              target.unread(), UnreadResponses.LEAST_BYTES + payload.length(), sent);
          sent.onFailure(e -> LOG.debugf("client disconnected before the response: %s", e));
        }
      }
      case Body.LongRunning live -> {
        if (gone) {
          live.abandon();
        } else {
          begin(target, answer, live);
        }
      }
      case Body.Upgraded upgraded -> {
        if (gone) {
          upgraded.abandon();
        } else {
          switchProtocols(target, answer, upgraded);
        }
      }
      case Body.Streamed _, Body.Relayed _ ->
          throw new IllegalStateException("a streamed body is sent by StreamedResponse");
    }
  }

  /** Answers 101, after which the connection belongs to the body. */
  private static void switchProtocols(Target target, ApiResponse answer, Body.Upgraded upgraded) {
    ProtocolSwitch.of(target.request(), answer)
        .onSuccess(
            socket -> {
              // a tunnel is never idle: its ends decide how long it is kept
              ConnectionTimes connection = ConnectionTimes.of(target.request().connection());
              if (connection != null) {
                connection.began();
              }
              if (target.request().connection() instanceof ConnectionBase base) {
                var unused = base.channel().closeFuture().addListener(closed -> upgraded.ended());
                limit(base.channel().pipeline(), target.rate());
              }
              socket.pause();
              upgraded.take(socket);
            })
        .onFailure(
            e -> {
              LOG.debugf("switch of protocols failed: %s", e);
              upgraded.abandon();
            });
  }

  /** Limits both directions of a connection that belongs to one tunnel from now on. */
  private static void limit(ChannelPipeline pipeline, @Nullable ConnectionRate rate) {
    if (rate != null) {
      ChannelTrafficShapingHandler shaping =
          new ChannelTrafficShapingHandler(
              rate.bytesPerSecond(), rate.bytesPerSecond(), SHAPING_MILLIS, MOST_WAIT_MILLIS);
      // what waits is what the other end of the tunnel has sent: it is to stop soon
      shaping.setMaxWriteSize(rate.piece());
      shaping.setMaxWriteDelay(SHAPING_MILLIS);
      pipeline.addBefore(TUNNEL, "rate", shaping);
    }
  }

  /** Whether a request is a WebSocket handshake (RFC 6455, section 4.1). */
  static boolean asksForWebSocket(HttpServerRequest request) {
    return request.method().equals(HttpMethod.GET)
        && request.version() == HttpVersion.HTTP_1_1
        && "websocket".equalsIgnoreCase(request.getHeader(HttpHeaders.UPGRADE))
        && upgrades(request.headers().getAll(HttpHeaders.CONNECTION));
  }

  /** Whether the upgrade is for this server: without a word in Connection it is of no concern. */
  private static boolean upgrades(List<String> connection) {
    return connection.stream()
        .flatMap(value -> Stream.of(value.split(",", -1)))
        .anyMatch(option -> option.strip().equalsIgnoreCase("upgrade"));
  }

  /** Starts a long-running body, over a WebSocket if the client requested one (RFC 6455). */
  private void begin(Target target, ApiResponse answer, Body.LongRunning live) {
    TcpKeepAlive.shorten(target.request().connection());
    if (asksForWebSocket(target.request())) {
      WebSocketSubprotocol.choose(target.request().headers());
      target
          .request()
          .toWebSocket()
          .onSuccess(
              socket -> {
                socket.closeHandler(closed -> target.end().fire());
                track(
                    live,
                    new LongRunningChannel.Socket(
                        place(target), socket, target.request().connection(), isJson(answer)),
                    target.end());
              })
          .onFailure(
              e -> {
                LOG.debugf("WebSocket handshake failed: %s", e);
                live.abandon();
              });
      return;
    }
    HttpServerResponse response = target.request().response();
    head.write(response, answer);
    response.setChunked(true);
    response.writeHead().onFailure(e -> LOG.debugf("client disconnected: %s", e));
    track(live, responding(target), target.end());
  }

  private LongRunningChannel responding(Target target) {
    HttpServerResponse response = target.request().response();
    LongRunningChannel.Place place = place(target);
    if (target.request().version() == HttpVersion.HTTP_1_1
        && target.request().connection() instanceof ConnectionBase connection) {
      ChannelHandlerContext encoder =
          connection.channel().pipeline().context(HttpResponseEncoder.class);
      if (encoder != null) {
        return new LongRunningChannel.Chunked(place, response, encoder);
      }
    }
    return new LongRunningChannel.Response(place, response);
  }

  private static boolean isJson(ApiResponse answer) {
    return answer.headers().stream()
        .anyMatch(
            header ->
                header.name().equalsIgnoreCase("Content-Type")
                    && header.value().startsWith("application/json"));
  }

  private LongRunningChannel.Place place(Target target) {
    ContextInternal internal = (ContextInternal) target.context();
    FlushScheduler loop = loops.computeIfAbsent(internal.nettyEventLoop(), FlushScheduler::new);
    return new LongRunningChannel.Place(vertx, internal, loop, target.unread(), target.rate());
  }

  private void track(Body.LongRunning live, LongRunningChannel channel, RequestCompletion end) {
    channels.add(channel);
    end.add(
        () -> {
          channels.remove(channel);
          channel.gone();
        });
    channel.step(() -> live.start(channel));
  }

  /**
   * Ends all long-running bodies gracefully: spread over a time, but at least 200 a second, so that
   * their clients do not all come back at once.
   */
  void endLongRunning(Duration over) {
    double perSecond =
        over.isZero()
            ? Double.POSITIVE_INFINITY
            : Math.max(LEAST_ENDS_A_SECOND, channels.size() * 1000.0 / over.toMillis());
    int place = 0;
    for (LongRunningChannel channel : channels) {
      long millis = (long) (place++ * 1000 / perSecond);
      if (millis == 0) {
        channel.execute(channel::shutDown);
      } else {
        long unused = vertx.setTimer(millis, due -> channel.execute(channel::shutDown));
      }
    }
  }

  private static Buffer buffer(Payload payload) {
    List<Payload.Slice> slices = payload.slices();
    if (slices.size() == 1 && slices.getFirst().length() == slices.getFirst().array().length) {
      return Buffer.buffer(slices.getFirst().array());
    }
    if (slices.size() > MOST_SLICES) {
      return Buffer.buffer(payload.toByteArray());
    }
    Buffer whole = Buffer.buffer(Math.toIntExact(payload.length()));
    for (Payload.Slice slice : slices) {
      whole.appendBytes(slice.array(), slice.offset(), slice.length());
    }
    return whole;
  }
}
