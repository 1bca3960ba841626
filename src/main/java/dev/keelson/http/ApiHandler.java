package dev.keelson.http;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.Context;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Takes requests from the HTTP server: collects the body on the event loop, runs the chain on a
 * virtual thread, writes the answer on the event loop. Whatever happens, a request gets exactly one
 * answer, and a failure in one never reaches another.
 */
public final class ApiHandler {

  /** The largest body that is read; kube-apiserver has the same bound. */
  public static final int MAX_BODY_BYTES = 3 * 1024 * 1024;

  private static final Logger LOG = Logger.getLogger(ApiHandler.class);
  private static final Set<String> BODY_METHODS = Set.of("POST", "PUT", "PATCH", "DELETE");

  /**
   * Above this a payload is copied into one array: a composite of very many slices costs more than
   * the copy.
   */
  private static final int MOST_SLICES = 64;

  private final Vertx vertx;
  private final ExecutorService threads;
  private final Stage chain;
  private final ErrorAnswers errors;
  private final Duration timeout;
  private final Set<LiveChannel> channels = ConcurrentHashMap.newKeySet();
  private final Map<EventLoop, LiveLoop> loops = new ConcurrentHashMap<>();

  /**
   * A handler.
   *
   * @param threads runs each request on a (virtual) thread of its own
   * @param timeout how long a request may take before it is answered with 504
   */
  public ApiHandler(
      Vertx vertx, ExecutorService threads, Stage chain, ErrorAnswers errors, Duration timeout) {
    this.vertx = vertx;
    this.threads = threads;
    this.chain = chain;
    this.errors = errors;
    this.timeout = timeout;
  }

  /**
   * Takes a request.
   *
   * @param onEnd is run once, when the request is over
   */
  public void handle(RoutingContext routing, Runnable onEnd) {
    RecordBuffers.pool(routing.request().connection());
    RequestEnd end = new RequestEnd();
    end.add(onEnd);
    // not the response's own handlers: it has one place for each, which the routing context holds
    routing.addEndHandler(ended -> end.fire());
    Pending pending =
        new Pending(routing.request(), vertx.getOrCreateContext(), end, new AtomicBoolean());
    if (BODY_METHODS.contains(pending.request.method().name())) {
      new BodyCollector(pending).start();
    } else {
      dispatch(pending, Buffer.buffer());
    }
  }

  /** A request that is not over; who sets {@code answered} may answer it. */
  private record Pending(
      HttpServerRequest request, Context context, RequestEnd end, AtomicBoolean answered) {}

  /** Collects one body, no further than the bound. Lives on the event loop. */
  private final class BodyCollector {
    private final Pending pending;
    private final HttpServerRequest request;
    private Buffer body = Buffer.buffer();
    private boolean tooLarge;

    BodyCollector(Pending pending) {
      this.pending = pending;
      this.request = pending.request;
    }

    void start() {
      if (declaredLength() > MAX_BODY_BYTES) {
        refuse();
        return;
      }
      request.handler(
          chunk -> {
            if (tooLarge) {
              return;
            }
            if (body.length() + chunk.length() > MAX_BODY_BYTES) {
              refuse();
            } else {
              body.appendBuffer(chunk);
            }
          });
      request.endHandler(
          end -> {
            if (!tooLarge) {
              dispatch(pending, body);
            }
          });
      request.exceptionHandler(gone -> LOG.debugf("client went away while sending: %s", gone));
    }

    private long declaredLength() {
      String header = request.getHeader("Content-Length");
      try {
        return header == null ? 0 : Long.parseLong(header);
      } catch (NumberFormatException e) {
        return 0;
      }
    }

    private void refuse() {
      tooLarge = true;
      body = Buffer.buffer();
      ApiException error =
          new ApiException(
              Reason.REQUEST_ENTITY_TOO_LARGE,
              "Request entity too large: limit is " + MAX_BODY_BYTES);
      Answer answer = errors.answer(withoutBody(request), error);
      boolean closing = request.version() != HttpVersion.HTTP_2;
      write(pending, closing ? answer.with("Connection", "close") : answer);
    }
  }

  private void dispatch(Pending pending, Buffer body) {
    HttpServerRequest request = pending.request;
    ApiRequest plain;
    try {
      plain = plain(request, body.getBytes());
    } catch (ApiException | IllegalArgumentException e) {
      ApiException error =
          e instanceof ApiException api
              ? api
              : new ApiException(
                  Reason.BAD_REQUEST, "the path has a malformed escape", ErrorDetails.NONE, e);
      write(pending, errors.answer(withoutBody(request), error));
      return;
    }
    Duration allotted;
    try {
      allotted = RequestTimeout.of(plain, () -> errors.unparsed(plain), timeout);
    } catch (ApiException e) {
      write(pending, errors.answer(plain, e));
      return;
    }
    Future<?> running;
    try {
      running = threads.submit(() -> answer(pending, plain));
    } catch (RejectedExecutionException e) {
      ApiException closing =
          new ApiException(
              Reason.SERVICE_UNAVAILABLE,
              "the server is shutting down",
              ErrorDetails.NONE.withRetryAfterSeconds(1),
              e);
      write(pending, errors.answer(plain, closing));
      return;
    }
    long timer =
        vertx.setTimer(
            Math.max(1, allotted.toMillis()),
            late -> {
              if (pending.answered.compareAndSet(false, true)) {
                running.cancel(true);
                ApiException error =
                    new ApiException(
                        Reason.TIMEOUT,
                        "Timeout: request did not complete within the allotted timeout");
                write(pending, errors.answer(plain, error));
              }
            });
    pending.end.add(
        () -> {
          vertx.cancelTimer(timer);
          pending.answered.set(true);
        });
  }

  /** Runs on the request's own thread, up to the end of a streamed body. */
  private void answer(Pending pending, ApiRequest plain) {
    Answer answer = run(plain);
    if (answer.body() instanceof Body.Streamed streamed) {
      if (pending.answered.compareAndSet(false, true)) {
        new StreamedResponse(pending.request.response(), pending.context, pending.end)
            .send(answer, streamed);
      }
      return;
    }
    pending.context.runOnContext(
        onLoop -> {
          if (pending.answered.compareAndSet(false, true)) {
            write(pending, answer);
          } else if (answer.body() instanceof Body.Live live) {
            live.abandon();
          }
        });
  }

  /**
   * The answer of the chain; the chain itself turns errors into Status, so what escapes it is a
   * defect of this program.
   */
  @SuppressWarnings("CatchingUnchecked")
  private Answer run(ApiRequest request) {
    try {
      return chain.answer(new Exchange(request, errors.unparsed(request), errors.nobody()));
    } catch (Exception e) {
      return errors.answer(request, e);
    } catch (StackOverflowError | OutOfMemoryError e) {
      return errors.answer(
          request, new IllegalStateException("the request exhausted the thread", e));
    }
  }

  private void write(Pending pending, Answer answer) {
    HttpServerResponse response = pending.request.response();
    boolean gone = response.ended() || response.closed();
    switch (answer.body()) {
      case Payload payload -> {
        if (!gone) {
          writeHead(response, answer);
          // frames of a body would be an error of the protocol in HTTP/2 (RFC 9113, section 8.1)
          boolean bare = pending.request.method().equals(HttpMethod.HEAD);
          (bare ? response.end() : response.end(buffer(payload)))
              .onFailure(e -> LOG.debugf("client went away before its answer: %s", e));
        }
      }
      case Body.Live live -> {
        if (gone) {
          live.abandon();
        } else {
          begin(pending, answer, live);
        }
      }
      case Body.Streamed _ -> throw new IllegalStateException("a streamed body has its own way");
    }
  }

  static void writeHead(HttpServerResponse response, Answer answer) {
    response.setStatusCode(answer.status());
    for (Answer.Header header : answer.headers()) {
      response.headers().add(header.name(), header.value());
    }
  }

  /** Begins a live body, over a WebSocket if the client asked for one (RFC 6455). */
  private void begin(Pending pending, Answer answer, Body.Live live) {
    KeepAlive.shorten(pending.request.connection());
    if ("websocket".equalsIgnoreCase(pending.request.getHeader("Upgrade"))) {
      WebSocketProtocol.choose(pending.request.headers());
      pending
          .request
          .toWebSocket()
          .onSuccess(
              socket -> {
                socket.closeHandler(closed -> pending.end.fire());
                track(
                    live,
                    new LiveChannel.Socket(
                        place(pending.context),
                        socket,
                        pending.request.connection(),
                        isJson(answer)),
                    pending.end);
              })
          .onFailure(
              e -> {
                LOG.debugf("WebSocket handshake failed: %s", e);
                live.abandon();
              });
      return;
    }
    HttpServerResponse response = pending.request.response();
    writeHead(response, answer);
    response.setChunked(true);
    response.writeHead().onFailure(e -> LOG.debugf("client went away: %s", e));
    track(live, responding(pending), pending.end);
  }

  private LiveChannel responding(Pending pending) {
    HttpServerResponse response = pending.request.response();
    LiveChannel.Place place = place(pending.context);
    if (pending.request.version() == HttpVersion.HTTP_1_1
        && pending.request.connection() instanceof ConnectionBase connection) {
      ChannelHandlerContext encoder =
          connection.channel().pipeline().context(HttpResponseEncoder.class);
      if (encoder != null) {
        return new LiveChannel.Chunked(place, response, encoder);
      }
    }
    return new LiveChannel.Response(place, response);
  }

  private static boolean isJson(Answer answer) {
    return answer.headers().stream()
        .anyMatch(
            header ->
                header.name().equalsIgnoreCase("Content-Type")
                    && header.value().startsWith("application/json"));
  }

  private LiveChannel.Place place(Context context) {
    ContextInternal internal = (ContextInternal) context;
    LiveLoop loop = loops.computeIfAbsent(internal.nettyEventLoop(), LiveLoop::new);
    return new LiveChannel.Place(vertx, internal, loop);
  }

  private void track(Body.Live live, LiveChannel channel, RequestEnd end) {
    channels.add(channel);
    end.add(
        () -> {
          channels.remove(channel);
          channel.gone();
        });
    live.start(channel);
  }

  /** Ends every live body in an orderly way; they tell their clients what they can. */
  public void endLive() {
    for (LiveChannel channel : channels) {
      channel.execute(channel::goingDown);
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

  private static ApiRequest plain(HttpServerRequest request, byte[] body) {
    String query = request.query();
    return new ApiRequest(
        request.method().name(),
        decodedPath(request),
        Query.parse(query == null ? "" : query),
        headers(request.headers()),
        body,
        peerCertificates(request.sslSession()),
        remote(request));
  }

  private static String decodedPath(HttpServerRequest request) {
    String path = request.path();
    if (path == null) {
      throw ApiException.badRequest("the request has no path");
    }
    return path.indexOf('%') < 0 ? path : new QueryStringDecoder(path, true).path();
  }

  private static ApiRequest withoutBody(HttpServerRequest request) {
    return new ApiRequest(
        request.method().name(),
        "/",
        Query.NONE,
        headers(request.headers()),
        new byte[0],
        List.of(),
        remote(request));
  }

  private static String remote(HttpServerRequest request) {
    var address = request.remoteAddress();
    return address == null ? "" : address.toString();
  }

  private static Map<String, List<String>> headers(MultiMap headers) {
    Map<String, List<String>> plain = new HashMap<>();
    for (Map.Entry<String, String> header : headers) {
      plain
          .computeIfAbsent(header.getKey().toLowerCase(Locale.ROOT), name -> new ArrayList<>(1))
          .add(header.getValue());
    }
    return plain;
  }

  private static List<X509Certificate> peerCertificates(@Nullable SSLSession session) {
    if (session == null) {
      return List.of();
    }
    try {
      List<X509Certificate> chain = new ArrayList<>();
      for (Certificate certificate : session.getPeerCertificates()) {
        if (certificate instanceof X509Certificate x509) {
          chain.add(x509);
        }
      }
      return chain;
    } catch (SSLPeerUnverifiedException noCertificate) {
      return List.of();
    }
  }
}
