package dev.keelson.http.filter;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;
import java.util.Set;

/**
 * Takes the origin from pages that are passed on from other servers (a pod's, through {@code
 * proxy}) when a browser shows them: they would share the origin of the console, and their scripts
 * could act for its user. Pages by way of {@code kubectl proxy}, which are of its origin, are left
 * as they are: it adds X-Forwarded-For, which no page can make a browser send.
 */
record PassedPageFilter(RequestHandler next) implements RequestHandler {

  /** The destinations of Fetch Metadata that become documents. */
  private static final Set<String> DOCUMENTS =
      Set.of("document", "iframe", "frame", "embed", "object", "serviceworker");

  private static final String POLICY =
      "sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads";

  @Override
  public ApiResponse answer(Exchange exchange) {
    ApiResponse answer = next.answer(exchange);
    boolean shown =
        DOCUMENTS.contains(exchange.request().header("Sec-Fetch-Dest"))
            && exchange.request().header("X-Forwarded-For").isEmpty();
    return shown && answer.body() instanceof Body.Relayed
        ? answer.with("Content-Security-Policy", POLICY)
        : answer;
  }
}
