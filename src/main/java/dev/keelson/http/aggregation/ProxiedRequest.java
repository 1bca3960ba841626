package dev.keelson.http.aggregation;

import dev.keelson.aggregation.ApiService;
import dev.keelson.aggregation.ApiService.Backend;
import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.api.Verb;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.Exchange;
import dev.keelson.http.connection.Delegation;
import dev.keelson.request.RequestInfo;
import dev.keelson.webhook.UnresolvableServiceException;
import io.vertx.core.Context;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A request for a remote group version. {@link #answer} runs on the request's thread, everything
 * that touches a connection on the event loop.
 */
final class ProxiedRequest implements Delegation.Passage {

  private static final Logger LOG = Logger.getLogger(ProxiedRequest.class);

  /** Discovery is to be quick, so that clients do not wait for a dead server. */
  private static final Duration DISCOVERY = Duration.ofSeconds(5);

  /** Longer than any deadline of a request, which interrupts its thread. */
  private static final Duration FOR_EVER = Duration.ofDays(1);

  private static final int DISCOVERY_STEPS = 4;

  private static final String REDIRECTED =
      "the backend attempted to redirect this request, which is not permitted";

  /** Those without a body, which may be sent twice. */
  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

  private final Upstreams upstreams;
  private final ApiService service;
  private final HttpServerRequest client;
  private final Context context;

  /** On its way to the server, or null; confined to the event loop. */
  private @Nullable Outbound outbound;

  /** The client has gone; confined to the event loop. */
  private boolean ended;

  private boolean takesBody;
  private volatile boolean endless;

  ProxiedRequest(
      Upstreams upstreams, ApiService service, HttpServerRequest client, Context context) {
    this.upstreams = upstreams;
    this.service = service;
    this.client = client;
    this.context = context;
  }

  @Override
  public ApiResponse answer(Exchange exchange) {
    if (!service.available()) {
      throw unavailable("service unavailable", null);
    }
    Backend backend = Objects.requireNonNull(service.backend());
    InetSocketAddress address = address(backend);
    ApiRequest request = exchange.request();
    boolean upgrade = asksForUpgrade(request);
    endless =
        upgrade
            || (exchange.info() instanceof RequestInfo.Resource resource
                && resource.verb() == Verb.WATCH);
    MultiMap headers =
        ForwardedHeaders.request(
            request, exchange.context().user(), exchange.context().auditId(), upgrade);
    Outbound.Head head = new Outbound.Head(request.method(), uri(request), headers, address);
    Duration patience = isDiscovery(exchange) ? DISCOVERY : FOR_EVER;
    try {
      return sent(upgrade, backend, head, patience);
    } catch (ExecutionException e) {
      if (SAFE.contains(request.method()) && !upgrade && Outbound.wasClosed(e)) {
        return again(backend, head, patience);
      }
      throw unreachable(Outbound.causeOf(e));
    }
  }

  /** A kept connection may be closed by the server at the moment in which it is used. */
  private ApiResponse again(Backend backend, Outbound.Head head, Duration patience) {
    try {
      return sent(false, backend, head, patience);
    } catch (ExecutionException e) {
      throw unreachable(Outbound.causeOf(e));
    }
  }

  private InetSocketAddress address(Backend backend) {
    try {
      return upstreams.resolver().resolve(backend.namespace(), backend.name(), backend.port());
    } catch (UnresolvableServiceException e) {
      LOG.debugf("event=service-unresolved service=%s error=%s", service.name(), e.getMessage());
      throw unavailable("service unavailable", e);
    }
  }

  private ApiResponse sent(boolean upgrade, Backend backend, Outbound.Head head, Duration patience)
      throws ExecutionException {
    RemoteClients.Pool pool = upstreams.clients().verifying(backend);
    Outbound sending =
        upgrade
            ? upgrading(pool, head, backend)
            : new PlainRequest(pool, head, backend, client, context);
    context.runOnContext(onLoop -> begin(sending));
    try {
      return checked(head, sending.response().get(patience.toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      context.runOnContext(onLoop -> sending.cancel());
      throw unavailable("error trying to reach service: context deadline exceeded", e);
    } catch (InterruptedException e) {
      context.runOnContext(onLoop -> sending.cancel());
      Thread.currentThread().interrupt();
      throw new ApiException(Reason.TIMEOUT, "the request was interrupted", ErrorDetails.NONE, e);
    }
  }

  private static Outbound upgrading(RemoteClients.Pool pool, Outbound.Head head, Backend backend) {
    try {
      return UpgradeRequest.of(pool, head, backend);
    } catch (UnknownHostException e) {
      throw unreachable(e);
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

  private ApiResponse checked(Outbound.Head head, ApiResponse answer) {
    String location = answer.header("Location");
    boolean redirect = answer.status() >= 300 && answer.status() <= 399 && !location.isEmpty();
    if (!redirect || !upstreams.rejectsRedirects() || isNewHash(head.uri(), location)) {
      return answer;
    }
    if (answer.body() instanceof Body.Relayed relayed) {
      relayed.abandon();
    }
    return ApiResponse.of(
        502, "text/plain; charset=utf-8", REDIRECTED.getBytes(StandardCharsets.UTF_8));
  }

  /** An OpenAPI document has changed since its URL was read: the same path with another hash. */
  private static boolean isNewHash(String uri, String location) {
    int query = uri.indexOf('?');
    return uri.startsWith("/openapi/v3/")
        && query > 0
        && location.startsWith(uri.substring(0, query) + "?hash=");
  }

  private static String uri(ApiRequest request) {
    int query = request.uri().indexOf('?');
    String path = EscapedPath.of(request.path());
    return query < 0 ? path : path + request.uri().substring(query);
  }

  /** By any method: SPDY begins by POST. A request with a body is not one for another protocol. */
  private boolean asksForUpgrade(ApiRequest request) {
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

  private static boolean isDiscovery(Exchange exchange) {
    return exchange.info() instanceof RequestInfo.NonResource
        && exchange.request().path().split("/").length == DISCOVERY_STEPS;
  }

  private static ApiException unreachable(Throwable cause) {
    String text = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    return unavailable("error trying to reach service: " + text, cause);
  }

  private static ApiException unavailable(String message, @Nullable Throwable cause) {
    return new ApiException(Reason.SERVICE_UNAVAILABLE, message, ErrorDetails.NONE, cause);
  }

  @Override
  public boolean takesBody() {
    return takesBody;
  }

  @Override
  public void end() {
    ended = true;
    Outbound sending = outbound;
    if (sending != null) {
      sending.cancel();
    }
  }

  @Override
  public void shutDown() {
    if (endless) {
      context.runOnContext(
          onLoop -> {
            Outbound sending = outbound;
            if (sending != null) {
              sending.finish();
            }
          });
    }
  }
}
