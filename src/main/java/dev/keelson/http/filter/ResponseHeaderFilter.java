package dev.keelson.http.filter;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;
import dev.keelson.request.RequestContext;

/**
 * Adds the headers of every response: Audit-Id, Cache-Control, Warning (RFC 7234, code 299), and
 * those of priority and fairness.
 */
record ResponseHeaderFilter(RequestHandler next) implements RequestHandler {

  @Override
  public ApiResponse answer(Exchange exchange) {
    ApiResponse answer = next.answer(exchange);
    if (answer.header("Cache-Control").isEmpty()) {
      answer = answer.with("Cache-Control", "no-cache, private");
    }
    for (String warning : exchange.context().warnings()) {
      answer = answer.with("Warning", "299 - " + quoted(warning));
    }
    RequestContext.Classification flow = exchange.context().classification();
    if (flow != null) {
      answer =
          answer
              .with("X-Kubernetes-Pf-Flowschema-Uid", flow.schemaUid())
              .with("X-Kubernetes-Pf-Prioritylevel-Uid", flow.levelUid());
    }
    return answer.with("Audit-Id", exchange.context().auditId());
  }

  /** A quoted-string of RFC 9110, section 5.6.4: what is not printable ASCII becomes a space. */
  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else {
        quoted.append(c < ' ' || c > '~' ? ' ' : c);
      }
    }
    return quoted.append('"').toString();
  }
}
