package dev.keelson.http.audit;

import dev.keelson.audit.Acceptance;
import dev.keelson.audit.AuditedRequest;
import dev.keelson.audit.event.Level;
import dev.keelson.audit.event.Stage;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;
import dev.keelson.request.UserInfo;
import org.jspecify.annotations.Nullable;

/**
 * Generates the audit events of a request whose user is known (source: apiserver,
 * endpoints/filters/audit.go). A request that no policy names passes with one look at the policy.
 *
 * <p>Complete answers are sent after their event is stored, so that in the blocking modes no client
 * has an answer that the audit lacks.
 */
public record AuditFilter(AuditParts parts, RequestHandler next) implements RequestHandler {

  @Override
  public ApiResponse answer(Exchange exchange) {
    AuditedRequest audited = begin(parts, exchange, exchange.context().user());
    if (audited == null) {
      return next.answer(exchange);
    }
    if (audited.level().atLeast(Level.REQUEST)) {
      exchange.context().showBodies();
    }
    Acceptance acceptance = audited.stage(Stage.REQUEST_RECEIVED, exchange.context().annotations());
    if (acceptance == Acceptance.REFUSED) {
      parts.metrics().rejected();
      throw AuditParts.notStored();
    }
    return new AuditedExchange(parts, exchange, audited).answer(next);
  }

  static @Nullable AuditedRequest begin(
      AuditParts parts, Exchange exchange, @Nullable UserInfo user) {
    return parts
        .auditor()
        .begin(user, exchange.info(), () -> Facts.of(exchange, user, parts.clock()));
  }
}
