package dev.keelson.http.relay;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.Expectation;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A request with a response. The body of the client's request is passed on as it comes, and no
 * faster than the server takes it.
 */
final class PlainRequest implements Outbound {

  private static final Logger LOG = Logger.getLogger(PlainRequest.class);
  private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH", "DELETE");

  private final Connections pool;
  private final Head head;
  private final HttpServerRequest client;
  private final Context context;
  private final CompletableFuture<ApiResponse> response = new CompletableFuture<>();
  private @Nullable HttpClientRequest request;
  private @Nullable RelayedBody body;
  private boolean cancelled;

  PlainRequest(Connections pool, Head head, HttpServerRequest client, Context context) {
    this.pool = pool;
    this.head = head;
    this.client = client;
    this.context = context;
  }

  @Override
  public boolean begin() {
    boolean sends = hasBody();
    RequestOptions options =
        new RequestOptions()
            .setServer(
                SocketAddress.inetSocketAddress(
                    head.target().address().getPort(), head.target().address().getHostString()))
            .setHost(head.target().host())
            .setPort(head.target().port())
            .setSsl(head.target().secure())
            .setMethod(HttpMethod.valueOf(head.method()))
            .setURI(head.uri())
            .setFollowRedirects(false);
    pool.http().request(options).onComplete(opened -> send(opened, sends));
    return sends;
  }

  private boolean hasBody() {
    String length = client.getHeader("Content-Length");
    if (length != null) {
      return !length.equals("0");
    }
    return client.version() == HttpVersion.HTTP_2
        ? WITH_BODY.contains(head.method()) && !client.isEnded()
        : client.getHeader("Transfer-Encoding") != null;
  }

  private void send(AsyncResult<HttpClientRequest> opened, boolean sends) {
    if (opened.failed()) {
      boolean unused = response.completeExceptionally(opened.cause());
      return;
    }
    HttpClientRequest sending = opened.result();
    if (cancelled) {
      boolean unused = sending.reset();
      return;
    }
    request = sending;
    sending.headers().addAll(head.headers());
    sending.exceptionHandler(response::completeExceptionally);
    sending.response().onComplete(this::received);
    if (sends) {
      sending.setChunked(head.headers().get("Content-Length") == null);
      Expectation.askForBody(client);
      client
          .pipeTo(sending)
          .onFailure(
              e -> {
                LOG.debugf("event=body-not-passed error=%s", e);
                boolean unused = sending.reset();
              });
    } else {
      sending.end().onFailure(e -> LOG.debugf("event=request-not-passed error=%s", e));
    }
  }

  private void received(AsyncResult<HttpClientResponse> answer) {
    if (answer.failed()) {
      boolean unused = response.completeExceptionally(answer.cause());
      return;
    }
    HttpClientResponse received = answer.result();
    boolean bare =
        head.method().equals("HEAD")
            || received.statusCode() == 204
            || received.statusCode() == 304;
    Body passed = Body.Payload.EMPTY;
    if (!bare) {
      RelayedBody relayed = new RelayedBody(received, context);
      body = relayed;
      passed = relayed;
    }
    boolean unused =
        response.complete(
            new ApiResponse(
                received.statusCode(),
                PassedHeaders.response(received.headers(), /* upgraded= */ false),
                passed));
  }

  @Override
  public CompletableFuture<ApiResponse> response() {
    return response;
  }

  @Override
  public void cancel() {
    cancelled = true;
    RelayedBody relayed = body;
    HttpClientRequest sending = request;
    if (relayed != null) {
      relayed.abandon();
    } else if (sending != null && !response.isDone()) {
      boolean unused = sending.reset();
    }
    boolean unused = response.completeExceptionally(new Body.ClientGoneException());
  }

  @Override
  public void finish() {
    RelayedBody relayed = body;
    if (relayed != null) {
      relayed.finish();
    }
  }
}
