package dev.keelson.client.remote;

import dev.keelson.client.rest.ApiTransport;
import dev.keelson.client.rest.StatusErrors;
import dev.keelson.value.HostPort;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to an API server over HTTPS. A response that asks for a pause (429, or a 5xx, with
 * Retry-After) is followed by the same request after that pause, as client-go does it: the server
 * has not begun with it. So is one of 401 once, if the route has other credentials.
 */
public final class RemoteTransport implements ApiTransport {

  /** A little more than kube-apiserver's {@code --request-timeout}. */
  private static final Duration TIMEOUT = Duration.ofSeconds(70);

  /** Of client-go ({@code maxRetries}). */
  private static final int MOST_PAUSES = 10;

  private static final long LONGEST_PAUSE_SECONDS = 60;

  private final Route route;
  private final String userAgent;
  private final Observer observer;

  /** Is told each response. */
  @FunctionalInterface
  public interface Observer {

    /**
     * A request is over, or its watch has begun.
     *
     * @param host the host and port of the server
     * @param code the HTTP status, or {@code <error>} if there was no response
     */
    void answered(String method, String host, String code);
  }

  /** The way to the server, which may change between two requests. */
  public interface Route {

    /**
     * The server, with the credentials of now.
     *
     * @throws IOException if there are no credentials
     */
    ApiServer now() throws IOException, InterruptedException;

    /**
     * Is told that the server did not accept credentials.
     *
     * @return whether another attempt may have other ones
     */
    boolean rejected(ApiServer server);
  }

  /**
   * A transport without connections.
   *
   * @param userAgent the name of the client in the audit log
   */
  public RemoteTransport(Route route, String userAgent, Observer observer) {
    this.route = route;
    this.userAgent = userAgent;
    this.observer = observer;
  }

  /** A response; {@code pauseSeconds} is negative if it does not ask for a pause. */
  private record Reply(Answer answer, long pauseSeconds) {}

  @Override
  public Answer send(Request request) throws IOException, InterruptedException {
    return send(request, () -> TIMEOUT);
  }

  @Override
  public Answer send(Request request, TimeLimit limit) throws IOException, InterruptedException {
    boolean renewed = false;
    for (int pauses = 0; ; ) {
      ApiServer server = route.now();
      Duration left = limit.remaining();
      Reply reply =
          left.compareTo(TIMEOUT) < 0
              ? exchange(server, withTimeout(request, left), left, RemoteTransport::whole)
              : exchange(server, request, TIMEOUT, RemoteTransport::whole);
      if (reply.answer().status() == 401 && !renewed && route.rejected(server)) {
        renewed = true;
      } else if (reply.pauseSeconds() >= 0 && pauses < MOST_PAUSES) {
        pauses++;
        Thread.sleep(Duration.ofSeconds(reply.pauseSeconds()));
      } else {
        return reply.answer();
      }
    }
  }

  /** Tells the server when nobody waits any more, so that it does not go on either. */
  private static Request withTimeout(Request request, Duration left) {
    Map<String, String> query = new HashMap<>(request.query());
    query.put("timeout", Math.max(1, left.toMillis()) + "ms");
    return new Request(
        request.method(),
        request.path(),
        query,
        request.contentType(),
        request.body(),
        request.accept());
  }

  /** A watch, or the response that refuses it. */
  private record Opened(@Nullable WatchStream events, @Nullable Reply refusal) {}

  @Override
  public EventStream watch(Request request) throws IOException, InterruptedException {
    ApiServer server = route.now();
    Opened opened = exchange(server, request, TIMEOUT, RemoteTransport::begun);
    WatchStream events = opened.events();
    if (events != null) {
      return events;
    }
    Reply refusal = opened.refusal();
    if (refusal == null) {
      throw new IllegalStateException("neither events nor a refusal");
    }
    if (refusal.answer().status() == 401) {
      boolean unused = route.rejected(server);
    }
    throw StatusErrors.of(refusal.answer());
  }

  private static Future<Reply> whole(HttpClientResponse response) {
    return response
        .body()
        .map(
            body -> new Reply(new Answer(response.statusCode(), body.getBytes()), pause(response)));
  }

  private static Future<Opened> begun(HttpClientResponse response) {
    Context loop = Vertx.currentContext();
    if (loop == null) {
      throw new IllegalStateException("a response outside of an event loop");
    }
    return response.statusCode() == 200
        ? Future.succeededFuture(new Opened(WatchStream.of(response, loop), null))
        : whole(response).map(refusal -> new Opened(null, refusal));
  }

  private static long pause(HttpClientResponse response) {
    String text = response.getHeader("Retry-After");
    int status = response.statusCode();
    if (text == null || (status != 429 && status < 500) || !text.matches("\\d{1,9}")) {
      return -1;
    }
    return Math.min(Long.parseLong(text), LONGEST_PAUSE_SECONDS);
  }

  /** One request; gives up after {@code longest}, of a watch only until it begins. */
  private <T> T exchange(
      ApiServer server,
      Request request,
      Duration longest,
      Function<HttpClientResponse, Future<T>> reader)
      throws IOException, InterruptedException {
    AtomicReference<@Nullable HttpClientRequest> sent = new AtomicReference<>();
    CompletableFuture<T> done = new CompletableFuture<>();
    server
        .client()
        .request(options(server, request))
        .compose(
            opened -> {
              sent.set(opened);
              if (done.isDone()) {
                boolean unused = opened.reset();
              }
              return started(server, request, opened)
                  .onSuccess(
                      response ->
                          observer.answered(
                              request.method(),
                              hostOf(server),
                              Integer.toString(response.statusCode())))
                  .compose(reader);
            })
        .onComplete(
            result -> {
              boolean awaited =
                  result.succeeded()
                      ? done.complete(result.result())
                      : done.completeExceptionally(result.cause());
              if (!awaited) {
                reset(sent.get());
              }
            });
    try {
      return done.get(longest.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw given(done, sent, new IOException("no response within " + longest, e));
    } catch (ExecutionException e) {
      observer.answered(request.method(), hostOf(server), "<error>");
      throw Failures.of(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      throw given(done, sent, e);
    }
  }

  private static String hostOf(ApiServer server) {
    return HostPort.join(server.host(), Integer.toString(server.port()));
  }

  /** Gives a request up and returns the reason. */
  private static <E extends Exception> E given(
      CompletableFuture<?> done, AtomicReference<@Nullable HttpClientRequest> sent, E reason) {
    boolean first = done.completeExceptionally(reason);
    HttpClientRequest request = sent.get();
    // one that has not been opened is reset when it is
    if (request != null) {
      reset(request);
    }
    assert first || done.isDone();
    return reason;
  }

  private static void reset(@Nullable HttpClientRequest request) {
    if (request != null) {
      boolean unused = request.reset();
    }
  }

  private Future<HttpClientResponse> started(
      ApiServer server, Request request, HttpClientRequest opened) {
    opened.authority(HostAndPort.create(server.host(), server.port()));
    opened.putHeader("Accept", request.accept()).putHeader("User-Agent", userAgent);
    server.headers().forEach(opened::putHeader);
    if (request.contentType().isEmpty()) {
      return opened.send();
    }
    opened.putHeader("Content-Type", request.contentType());
    return opened.send(Buffer.buffer(request.body()));
  }

  private static RequestOptions options(ApiServer server, Request request) {
    return new RequestOptions()
        .setServer(SocketAddress.inetSocketAddress(server.port(), server.host()))
        .setHost(server.serverName())
        .setPort(server.port())
        .setSsl(true)
        .setMethod(HttpMethod.valueOf(request.method()))
        .setURI(server.path() + request.path() + query(request.query()))
        .setFollowRedirects(false);
  }

  private static String query(Map<String, String> parameters) {
    StringBuilder text = new StringBuilder();
    parameters.forEach(
        (name, value) ->
            text.append(text.isEmpty() ? '?' : '&')
                .append(name)
                .append('=')
                .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
    return text.toString();
  }
}
