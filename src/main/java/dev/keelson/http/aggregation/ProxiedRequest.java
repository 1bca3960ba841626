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
import dev.keelson.http.relay.ClientRequest;
import dev.keelson.http.relay.Connections;
import dev.keelson.http.relay.EscapedPath;
import dev.keelson.http.relay.Outbound;
import dev.keelson.http.relay.Target;
import dev.keelson.http.relay.UpgradeRequest;
import dev.keelson.request.RequestContext.Refuser;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.Span;
import dev.keelson.request.Spans;
import dev.keelson.webhook.UnresolvableServiceException;
import io.vertx.core.Context;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
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
  private final ClientRequest client;

  private volatile boolean endless;

  ProxiedRequest(
      Upstreams upstreams, ApiService service, HttpServerRequest client, Context context) {
    this.upstreams = upstreams;
    this.service = service;
    this.client = new ClientRequest(client, context);
  }

  @Override
  public ApiResponse answer(Exchange exchange) {
    if (!service.available()) {
      exchange.context().refusedBy(Refuser.AGGREGATOR);
      throw unavailable("service unavailable", null);
    }
    Backend backend = Objects.requireNonNull(service.backend());
    try (Spans.Open span = Spans.open("HTTP " + exchange.request().method(), Span.Kind.CLIENT)) {
      ApiResponse answer = passed(exchange, backend);
      if (span != null) {
        span.with("http.request.method", exchange.request().method())
            .with("server.address", backend.serverName())
            .with("http.response.status_code", answer.status());
      }
      return answer;
    }
  }

  private ApiResponse passed(Exchange exchange, Backend backend) {
    InetSocketAddress address = address(exchange, backend);
    ApiRequest request = exchange.request();
    boolean upgrade = client.asksForUpgrade(request);
    endless =
        upgrade
            || (exchange.info() instanceof RequestInfo.Resource resource
                && resource.verb() == Verb.WATCH);
    MultiMap headers =
        ForwardedHeaders.request(
            request, exchange.context().user(), exchange.context().auditId(), upgrade);
    Outbound.Head head =
        new Outbound.Head(
            request.method(),
            uri(request),
            headers,
            new Target(backend.serverName(), backend.port(), address, true));
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

  private InetSocketAddress address(Exchange exchange, Backend backend) {
    try {
      return upstreams.resolver().resolve(backend.namespace(), backend.name(), backend.port());
    } catch (UnresolvableServiceException e) {
      LOG.debugf("event=service-unresolved service=%s error=%s", service.name(), e.getMessage());
      exchange.context().refusedBy(Refuser.AGGREGATOR);
      throw unavailable("service unavailable", e);
    }
  }

  private ApiResponse sent(boolean upgrade, Backend backend, Outbound.Head head, Duration patience)
      throws ExecutionException {
    Connections pool = upstreams.clients().verifying(backend);
    Outbound sending = upgrade ? upgrading(pool, head) : client.plain(pool, head);
    try {
      return checked(head, client.sent(sending, patience));
    } catch (TimeoutException e) {
      throw unavailable("error trying to reach service: context deadline exceeded", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(Reason.TIMEOUT, "the request was interrupted", ErrorDetails.NONE, e);
    }
  }

  private static Outbound upgrading(Connections pool, Outbound.Head head) {
    try {
      return UpgradeRequest.of(pool, head, UpgradeRequest.Switch.PASS);
    } catch (UnknownHostException e) {
      throw unreachable(e);
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
    return client.takesBody();
  }

  @Override
  public void end() {
    client.end();
  }

  @Override
  public void shutDown() {
    if (endless) {
      client.finish();
    }
  }
}
