package dev.keelson.server.standalone;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.authn.Authentication;
import dev.keelson.authn.Credentials;
import dev.keelson.authz.Attributes;
import dev.keelson.authz.Decision;
import dev.keelson.authz.ForbiddenError;
import dev.keelson.config.option.ComponentServing;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.StatusBody;
import dev.keelson.http.StatusCodes;
import dev.keelson.http.connection.RequestReader;
import dev.keelson.http.health.TextResponse;
import dev.keelson.request.UserInfo;
import dev.keelson.server.identity.DelegatedAccess;
import dev.keelson.server.lifecycle.StartupException;
import dev.keelson.server.tls.AnyClientTrustManager;
import dev.keelson.server.tls.ServingKey;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.TrustOptions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The HTTPS port of a component. A request is authenticated, then authorized, on a virtual thread,
 * since both may ask an API server; the pages themselves are short.
 */
final class SecurePort implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(SecurePort.class);
  private static final long LISTEN_SECONDS = 10;
  private static final int IDLE_SECONDS = 90;
  private static final TextResponse UNAVAILABLE = plain(500, "Internal error occurred\n");

  private final Vertx vertx;
  private final ComponentServing options;
  private final ServingKey key;
  private final DelegatedAccess access;
  private final ComponentPages pages;
  private @Nullable HttpServer server;

  /** A port that does not listen. */
  SecurePort(
      Vertx vertx,
      ComponentServing options,
      ServingKey key,
      DelegatedAccess access,
      ComponentPages pages) {
    this.vertx = vertx;
    this.options = options;
    this.key = key;
    this.access = access;
    this.pages = pages;
  }

  /**
   * Listens.
   *
   * @throws StartupException if that fails
   */
  void open() {
    HttpServer listening =
        vertx
            .createHttpServer(
                new HttpServerOptions()
                    .setHost(options.bindAddress().getHostAddress())
                    .setPort(options.port())
                    .setSsl(true)
                    .setUseAlpn(true)
                    .setKeyCertOptions(KeyCertOptions.wrap(key))
                    .setTrustOptions(TrustOptions.wrap(new AnyClientTrustManager()))
                    .setClientAuth(ClientAuth.REQUEST)
                    .setEnabledSecureTransportProtocols(Set.of("TLSv1.3", "TLSv1.2"))
                    .setIdleTimeout(IDLE_SECONDS))
            .requestHandler(this::handle);
    server = listening;
    try {
      HttpServer same =
          listening
              .listen()
              .toCompletionStage()
              .toCompletableFuture()
              .get(LISTEN_SECONDS, TimeUnit.SECONDS);
      assert same == listening;
    } catch (ExecutionException | TimeoutException e) {
      throw failure(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure(e);
    }
  }

  private StartupException failure(Exception e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return new StartupException(
        "--secure-port: cannot listen on %s, port %d: %s"
            .formatted(options.bindAddress().getHostAddress(), options.port(), cause.getMessage()),
        e);
  }

  private void handle(HttpServerRequest request) {
    Context loop = vertx.getOrCreateContext();
    Thread unused =
        Thread.ofVirtual()
            .name("secure-port")
            .start(
                () -> {
                  TextResponse answer = safely(request);
                  loop.runOnContext(ready -> write(request, answer));
                });
  }

  private static void write(HttpServerRequest request, TextResponse answer) {
    var response = request.response().setStatusCode(answer.status());
    answer.headers().forEach(response::putHeader);
    response
        .end(answer.body())
        .onFailure(e -> LOG.debugf("event=response-not-written error=%s", e.getMessage()));
  }

  private TextResponse safely(HttpServerRequest request) {
    try {
      return answer(RequestReader.read(request));
    } catch (ApiException e) {
      return ComponentPages.json(StatusCodes.of(e), StatusBody.failure(e));
    } catch (RuntimeException e) {
      LOG.errorf(e, "event=internal-error path=%s", request.path());
      return UNAVAILABLE;
    }
  }

  private TextResponse answer(ApiRequest request) {
    UserInfo user = authenticated(request);
    if (!access.openPaths().has(request.path())) {
      Attributes attributes =
          new Attributes(
              user, request.method().toLowerCase(Locale.ROOT), new Attributes.Path(request.path()));
      Decision decision = access.authorizer().authorize(attributes);
      if (!decision.allowed()) {
        throw ForbiddenError.of(attributes, decision);
      }
    }
    return pages
        .answer(request.path(), request.query())
        .orElseGet(() -> plain(404, "404 page not found\n"));
  }

  private UserInfo authenticated(ApiRequest request) {
    Credentials credentials =
        new Credentials(
            request.headerValues("Authorization"),
            request.peerCertificates(),
            request.headers(),
            List.of());
    if (access.authenticator().authenticate(credentials)
        instanceof Authentication.Authenticated known) {
      return known.user();
    }
    throw new ApiException(Reason.UNAUTHORIZED, "Unauthorized");
  }

  private static TextResponse plain(int status, String body) {
    return new TextResponse(
        status,
        Map.of("Content-Type", "text/plain; charset=utf-8", "X-Content-Type-Options", "nosniff"),
        body);
  }

  @Override
  public void close() {
    HttpServer listening = server;
    if (listening != null) {
      var unused = listening.close();
    }
  }
}
