package dev.keelson.http.filter;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;
import dev.keelson.request.RequestContext;
import java.nio.charset.StandardCharsets;

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

  /**
   * A quoted-string of RFC 9110, section 5.6.4, in UTF-8 as in kube-apiserver. Its bytes are
   * characters up to U+00FF here, which connections send as they are.
   */
  private static String quoted(String text) {
    String bytes = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    StringBuilder quoted = new StringBuilder(bytes.length() + 2).append('"');
    for (int i = 0; i < bytes.length(); i++) {
      char c = bytes.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\');
      }
      quoted.append(c);
    }
    return quoted.append('"').toString();
  }
}
