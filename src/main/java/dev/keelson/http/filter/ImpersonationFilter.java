package dev.keelson.http.filter;

import dev.keelson.authz.Attributes;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;
import dev.keelson.request.Latencies;
import dev.keelson.request.Span;
import dev.keelson.request.UserInfo;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Replaces the user by the impersonated user if that is authorized. */
record ImpersonationFilter(ImpersonationAuthorizer rules, RequestHandler next)
    implements RequestHandler {

  private static final Logger LOG = Logger.getLogger(ImpersonationFilter.class);

  @Override
  public ApiResponse answer(Exchange exchange) {
    Optional<Impersonation> wish = Impersonation.of(exchange.request());
    if (wish.isPresent()) {
      Attributes asked = AuthorizationFilter.attributes(exchange);
      ImpersonationAuthorizer.Granted granted = require(exchange, asked, wish.get());
      UserInfo other = granted.user();
      LOG.debugf(
          "event=impersonation audit=%s user=%s as=%s",
          exchange.context().auditId(), asked.user().name(), other.name());
      exchange.context().impersonate(other, granted.constraint());
    }
    return next.answer(exchange);
  }

  private ImpersonationAuthorizer.Granted require(
      Exchange exchange, Attributes asked, Impersonation wish) {
    long begin = System.nanoTime();
    try {
      return rules.require(asked, wish);
    } finally {
      long took = System.nanoTime() - begin;
      exchange.context().latencies().add(Latencies.Layer.IMPERSONATION, took);
      Span traced = exchange.context().latencies().span();
      if (traced != null) {
        traced.begun("impersonation", took).end();
      }
    }
  }
}
