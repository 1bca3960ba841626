package dev.keelson.http.audit;

import dev.keelson.audit.AuditedRequest;
import dev.keelson.audit.event.Stage;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;

/**
 * Generates the one event of a request that is refused before its user is known: at stage
 * ResponseStarted, without a user, as Kubernetes does.
 *
 * @param next refuses the request
 */
public record FailedRequestAudit(AuditParts parts, RequestHandler next) implements RequestHandler {

  @Override
  public ApiResponse answer(Exchange exchange) {
    AuditedRequest audited = AuditFilter.begin(parts, exchange, null);
    if (audited == null) {
      return next.answer(exchange);
    }
    return new AuditedExchange(parts, exchange, audited).answerAt(Stage.RESPONSE_STARTED, next);
  }
}
