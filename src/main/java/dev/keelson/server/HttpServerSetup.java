package dev.keelson.server;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.config.option.ServerOptions;
import dev.keelson.config.option.ServingOptions;
import dev.keelson.config.option.TlsOptions.Implementation;
import dev.keelson.http.connection.RequestReceiver;
import dev.keelson.http.endpoint.Api;
import dev.keelson.server.identity.AuthenticationService;
import dev.keelson.server.lifecycle.GracefulShutdown;
import dev.keelson.server.lifecycle.Listeners;
import dev.keelson.server.tls.AnyClientTrustManager;
import dev.keelson.server.tls.CipherSuites;
import dev.keelson.server.tls.JdkTls;
import dev.keelson.server.tls.NativeTls;
import dev.keelson.server.tls.ServingKey;
import dev.keelson.server.tls.VerifiableKeys;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.TrustOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Configures Quarkus's HTTP server: the listeners, the route of all requests, and the graceful
 * shutdown before the listener closes.
 */
@Singleton
public class HttpServerSetup implements HttpServerOptionsCustomizer {

  private static final Logger LOG = Logger.getLogger(HttpServerSetup.class);

  /** Vert.x's value for port 0 that makes all event loops share one free port. */
  private static final int FREE_PORT = -2;

  /** Maximum size of headers in bytes: selectors, continue tokens and bearer tokens can be long. */
  private static final int MAX_HEADERS = 128 * 1024;

  private static final int MAX_REQUEST_LINE = 64 * 1024;

  /**
   * Maximum number of stream resets within the window before the connection is closed
   * (CVE-2023-44487). Informers of a large client reset a few dozen streams at once.
   */
  private static final int MAX_RESETS = 400;

  private static final int RESET_WINDOW_SECONDS = 30;

  /** Flow-control windows in bytes: a body of the maximum size needs a few round trips. */
  private static final int STREAM_WINDOW = 256 * 1024;

  private static final int CONNECTION_WINDOW = 1024 * 1024;

  private static final int RETRY_AFTER_SECONDS = 5;

  /** What is served while the server stops (source: {@code pathPrefixesExemptFromRetryAfter}). */
  private static final List<String> SERVED_TO_THE_END =
      List.of("/readyz", "/livez", "/healthz", "/metrics");

  private final ServingOptions serving;
  private final boolean http2;
  private final List<String> groups;
  private final ServingKey key;
  private final Provider<AuthenticationService> identities;
  private final GracefulShutdown drain;
  private final KeelsonServer server;
  private final Listeners listeners;
  private volatile @Nullable RequestReceiver intake;

  HttpServerSetup(
      ServerOptions options,
      ServingKey key,
      Provider<AuthenticationService> identities,
      GracefulShutdown drain,
      KeelsonServer server,
      Listeners listeners) {
    this.listeners = listeners;
    this.serving = options.serving();
    this.http2 = options.web().http2();
    this.groups = options.web().namedGroups();
    this.key = key;
    this.identities = identities;
    this.drain = drain;
    this.server = server;
  }

  /** Quarkus serves plain HTTP only with {@code --http-port} (see {@link Main}). */
  @Override
  public void customizeHttpServer(HttpServerOptions options) {
    limit(options);
    options.setPort(serving.plain().port()).setHttp2ClearTextEnabled(http2).setSsl(false);
  }

  @Override
  public void customizeHttpsServer(HttpServerOptions options) {
    limit(options);
    options
        .setPort(serving.port() == 0 ? FREE_PORT : serving.port())
        .setSsl(true)
        .setKeyCertOptions(KeyCertOptions.wrap(key))
        .setTrustOptions(
            TrustOptions.wrap(new AnyClientTrustManager(() -> identities.get().namedAuthorities())))
        .setClientAuth(ClientAuth.REQUEST)
        .setEnabledSecureTransportProtocols(new LinkedHashSet<>(serving.tls().protocols()))
        .setUseAlpn(true);
    if (serving.tls().implementation() == Implementation.AUTO) {
      BooleanSupplier verifiable = new VerifiableKeys(() -> identities.get().clientAuthorities());
      options.setSslEngineOptions(
          new NativeTls(
              groups,
              () -> key.isSupportedNatively() && verifiable.getAsBoolean(),
              () -> identities.get().namedAuthorities()));
    } else {
      options.setSslEngineOptions(new JdkTls(groups));
    }
    if (!http2) {
      options.setAlpnVersions(List.of(HttpVersion.HTTP_1_1));
    }
    CipherSuites.offered(serving.tls().cipherSuites()).forEach(options::addEnabledCipherSuite);
  }

  /** The address and the limits of both listeners. */
  private void limit(HttpServerOptions options) {
    options
        .setHost(serving.bindAddress().getHostAddress())
        .setTcpKeepAlive(true)
        // any subprotocol: WebSocketSubprotocol has left only the selected one
        .setWebSocketSubProtocols(List.of("*"))
        // RequestBody and PlainRequest do, when they need the body
        .setHandle100ContinueAutomatically(false)
        .setMaxHeaderSize(MAX_HEADERS)
        .setMaxInitialLineLength(MAX_REQUEST_LINE)
        .setHttp2ConnectionWindowSize(CONNECTION_WINDOW)
        .setHttp2RstFloodMaxRstFramePerWindow(MAX_RESETS)
        .setHttp2RstFloodWindowDuration(RESET_WINDOW_SECONDS)
        .setHttp2RstFloodWindowDurationTimeUnit(TimeUnit.SECONDS)
        .setInitialSettings(
            new Http2Settings()
                .setMaxConcurrentStreams(serving.tls().maxStreams())
                .setInitialWindowSize(STREAM_WINDOW)
                .setMaxHeaderListSize(MAX_HEADERS));
  }

  void routes(@Observes Router router, Api api) {
    RequestReceiver intake = api.intake();
    this.intake = intake;
    // before the routes of extensions
    router.route().order(Integer.MIN_VALUE).handler(context -> handle(intake, context));
  }

  /** Quarkus fires this event before it closes the listener and waits for the observer. */
  void stopping(@Observes ShutdownDelayInitiatedEvent event) {
    stop();
  }

  /** Ends the watches, waits for requests in flight and stops the parts. */
  void stop() {
    int left = server.stop(this::endService);
    if (left > 0) {
      LOG.warnf("event=requests-unfinished count=%s", left);
    }
  }

  private void endService() {
    if (!serving.shutdown().sendRetryAfter()) {
      listeners.close();
    }
    RequestReceiver running = intake;
    if (running != null) {
      running.endLongRunning(serving.shutdown().watchGrace());
    }
  }

  private void handle(RequestReceiver intake, RoutingContext context) {
    if (drain.enter()) {
      intake.handle(context, drain::leave);
    } else if (isServedToTheEnd(context.request().path())) {
      intake.handle(context, () -> {});
    } else {
      intake.refuseWhileStopping(context, refusal());
    }
  }

  private static boolean isServedToTheEnd(@Nullable String path) {
    return path != null && SERVED_TO_THE_END.stream().anyMatch(path::startsWith);
  }

  /** Source: apiserver, server/filters, with_retry_after.go and waitgroup.go. */
  private ApiException refusal() {
    return serving.shutdown().sendRetryAfter()
        ? new ApiException(
            Reason.TOO_MANY_REQUESTS,
            "The apiserver is shutting down, please try again later.",
            ErrorDetails.NONE.withRetryAfterSeconds(RETRY_AFTER_SECONDS),
            null)
        : new ApiException(
            Reason.SERVICE_UNAVAILABLE,
            "apiserver is shutting down",
            ErrorDetails.NONE.withRetryAfterSeconds(1),
            null);
  }
}
