package dev.keelson.http.relay;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A client's request that is passed on to other servers, to one at a time. {@link #sent} is called
 * on the request's thread; everything that touches a connection runs on the event loop.
 */
public final class ClientRequest {

  private final HttpServerRequest client;
  private final Context context;

  /** On its way to a server, or null; confined to the event loop. */
  private @Nullable Outbound outbound;

  /** The client has gone; confined to the event loop. */
  private boolean ended;

  private boolean takesBody;

  /**
   * @param client the request on its connection, paused
   * @param context the request's event loop
   */
  public ClientRequest(HttpServerRequest client, Context context) {
    this.client = client;
    this.context = context;
  }

  /** The same request to a server, with the client's body; not sent yet. */
  public Outbound plain(Connections pool, Outbound.Head head) {
    return new PlainRequest(pool, head, client, context);
  }

  /**
   * Sends and waits for the head of the response.
   *
   * @param patience how long to wait; the connection is given up after it
   * @throws ExecutionException with the cause if there is no response
   */
  public ApiResponse sent(Outbound sending, Duration patience)
      throws ExecutionException, TimeoutException, InterruptedException {
    context.runOnContext(onLoop -> begin(sending));
    try {
      return sending.response().get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | InterruptedException e) {
      context.runOnContext(onLoop -> sending.cancel());
      throw e;
    }
  }

  private void begin(Outbound sending) {
    outbound = sending;
    if (ended) {
      sending.cancel();
    } else {
      takesBody |= sending.begin();
    }
  }

  /** By any method: SPDY begins by POST. A request with a body is not one for another protocol. */
  public boolean asksForUpgrade(ApiRequest request) {
    String protocol = request.header("upgrade");
    String length = request.header("content-length");
    // HTTP/2 would be between two neighbours only (RFC 7540, section 3.2)
    return client.version() == HttpVersion.HTTP_1_1
        && (length.isEmpty() || length.equals("0"))
        && request.header("transfer-encoding").isEmpty()
        && !protocol.isEmpty()
        && !protocol.equalsIgnoreCase("h2c")
        && request.headerValues("connection").stream()
            .anyMatch(value -> value.toLowerCase(Locale.ROOT).contains("upgrade"));
  }

  /** Whether the request's body was or is being read; called on the event loop. */
  public boolean takesBody() {
    return takesBody;
  }

  /** The client has gone, or has its answer. Called on the event loop. */
  public void end() {
    ended = true;
    Outbound sending = outbound;
    if (sending != null) {
      sending.cancel();
    }
  }

  /** Ends a response that has no end of its own. Called on any thread. */
  public void finish() {
    context.runOnContext(
        onLoop -> {
          Outbound sending = outbound;
          if (sending != null) {
            sending.finish();
          }
        });
  }
}
