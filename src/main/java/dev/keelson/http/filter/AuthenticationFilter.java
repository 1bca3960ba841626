package dev.keelson.http.filter;

import dev.keelson.authn.Authentication;
import dev.keelson.authn.Credentials;
import dev.keelson.authn.UnionAuthenticator;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;
import dev.keelson.http.RequestMetrics;
import dev.keelson.http.console.ConsoleSessions;
import dev.keelson.request.Latencies;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates the request; invalid credentials get 401 without details.
 *
 * @param origins finds requests for which certificates do not count
 * @param sessions the sessions of the console; null without it
 * @param failed handles requests with invalid credentials
 */
record AuthenticationFilter(
    UnionAuthenticator authenticators,
    OtherOrigins origins,
    @Nullable ConsoleSessions sessions,
    RequestMetrics metrics,
    RequestHandler failed,
    RequestHandler next)
    implements RequestHandler {

  private static final Logger LOG = Logger.getLogger(AuthenticationFilter.class);

  private static final String FAILURE = "failure";

  private static final String EXTRA_SPACE =
      "the provided Authorization header contains extra space before the bearer token, and is"
          + " ignored";

  @Override
  public ApiResponse answer(Exchange exchange) {
    ApiRequest request = exchange.request();
    Optional<List<String>> authorization = authorization(request);
    if (authorization.isEmpty()) {
      metrics.authenticated("error", "", Duration.ZERO);
      return failed.answer(exchange);
    }
    Credentials credentials =
        new Credentials(
            authorization.get(),
            origins.caused(request) ? List.of() : request.peerCertificates(),
            request.headers(),
            List.of());
    List<X509Certificate> certificates = exchange.request().peerCertificates();
    if (!certificates.isEmpty()) {
      metrics.certificate(certificates.getFirst().getNotAfter().toInstant());
    }
    long begin = System.nanoTime();
    switch (authenticate(exchange, credentials)) {
      case Authentication.Authenticated known -> {
        if (!authenticators.admits(known.user(), exchange.request().path())) {
          metrics.authenticated(FAILURE, "", took(begin));
          return failed.answer(exchange);
        }
        metrics.authenticated("success", known.user().name(), took(begin));
        exchange.context().identify(known.user());
        if (!known.annotations().isEmpty()) {
          known.annotations().forEach(exchange.context()::annotate);
        }
        if (!known.warnings().isEmpty()) {
          known.warnings().forEach(exchange.context()::warn);
        }
        if (credentials.hasExtraSpaces()) {
          exchange.context().warn(EXTRA_SPACE);
        }
      }
      case Authentication.Rejected rejected -> {
        rejected.annotations().forEach(exchange.context()::annotate);
        metrics.authenticated(
            credentials.authorization().isEmpty() && certificates.isEmpty() ? FAILURE : "error",
            "",
            took(begin));
        LOG.infof(
            "event=unauthenticated audit=%s remote=%s reason=%s",
            exchange.context().auditId(), exchange.request().remoteAddress(), rejected.reason());
        return failed.answer(exchange);
      }
      case Authentication.NoOpinion _ -> {
        metrics.authenticated(FAILURE, "", took(begin));
        return failed.answer(exchange);
      }
    }
    return next.answer(exchange);
  }

  /** The values of the Authorization header; empty if the session has ended. */
  private Optional<List<String>> authorization(ApiRequest request) {
    return sessions == null
        ? Optional.of(request.headerValues("Authorization"))
        : sessions.authorization(request);
  }

  private Authentication authenticate(Exchange exchange, Credentials credentials) {
    long begin = System.nanoTime();
    Authentication result = authenticators.authenticate(credentials);
    exchange.context().latencies().add(Latencies.Layer.AUTHENTICATION, System.nanoTime() - begin);
    return result;
  }

  private static Duration took(long begin) {
    return Duration.ofNanos(System.nanoTime() - begin);
  }
}
