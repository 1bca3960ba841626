package dev.keelson.http.filter;

import dev.keelson.http.Answer;
import dev.keelson.http.Exchange;
import dev.keelson.http.Stage;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Lets a user act as another, if each part of the other may be taken on. */
record ImpersonationFilter(ImpersonationCheck check, Stage next) implements Stage {

  private static final Logger LOG = Logger.getLogger(ImpersonationFilter.class);

  @Override
  public Answer answer(Exchange exchange) {
    Optional<Impersonation> wish = Impersonation.of(exchange.request());
    if (wish.isPresent()) {
      for (ImpersonationCheck.Part part : wish.get().parts()) {
        check.require(exchange.context().user(), part);
      }
      LOG.debugf(
          "event=impersonation audit=%s user=%s as=%s",
          exchange.context().auditId(), exchange.context().user().name(), wish.get().name());
      exchange.context().identify(wish.get().user());
    }
    return next.answer(exchange);
  }
}
