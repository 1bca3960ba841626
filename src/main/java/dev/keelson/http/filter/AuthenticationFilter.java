package dev.keelson.http.filter;

import dev.keelson.authn.Authentication;
import dev.keelson.authn.Credentials;
import dev.keelson.authn.UnionAuthenticator;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;
import dev.keelson.request.Latencies;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Authenticates the request; invalid credentials get 401 without details.
 *
 * @param failed handles requests with invalid credentials
 */
record AuthenticationFilter(
    UnionAuthenticator authenticators, RequestHandler failed, RequestHandler next)
    implements RequestHandler {

  private static final Logger LOG = Logger.getLogger(AuthenticationFilter.class);

  private static final String EXTRA_SPACE =
      "the provided Authorization header contains extra space before the bearer token, and is"
          + " ignored";

  @Override
  public ApiResponse answer(Exchange exchange) {
    Credentials credentials =
        new Credentials(
            exchange.request().headerValues("Authorization"),
            exchange.request().peerCertificates(),
            exchange.request().headers(),
            List.of());
    switch (authenticate(exchange, credentials)) {
      case Authentication.Authenticated known -> {
        if (!authenticators.admits(known.user(), exchange.request().path())) {
          return failed.answer(exchange);
        }
        exchange.context().identify(known.user());
        if (!known.annotations().isEmpty()) {
          known.annotations().forEach(exchange.context()::annotate);
        }
        if (credentials.hasExtraSpaces()) {
          exchange.context().warn(EXTRA_SPACE);
        }
      }
      case Authentication.Rejected rejected -> {
        LOG.infof(
            "event=unauthenticated audit=%s remote=%s reason=%s",
            exchange.context().auditId(), exchange.request().remoteAddress(), rejected.reason());
        return failed.answer(exchange);
      }
      case Authentication.NoOpinion _ -> {
        return failed.answer(exchange);
      }
    }
    return next.answer(exchange);
  }

  private Authentication authenticate(Exchange exchange, Credentials credentials) {
    Latencies latencies = exchange.context().latencies();
    if (latencies == null) {
      return authenticators.authenticate(credentials);
    }
    long begin = System.nanoTime();
    Authentication result = authenticators.authenticate(credentials);
    latencies.add(Latencies.Layer.AUTHENTICATION, System.nanoTime() - begin);
    return result;
  }
}
