package dev.keelson.http.filter;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body.Payload;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;
import java.util.List;

/**
 * Lets pages of allowed origins use the server from a browser, and answers their preflight requests
 * without authentication (source: {@code WithCORS} of apiserver).
 *
 * @param origins patterns that are found in allowed origins
 */
record CorsFilter(List<Pattern> origins, RequestHandler next) implements RequestHandler {

  private static final String METHODS = "POST, GET, OPTIONS, PUT, DELETE, PATCH";
  private static final String HEADERS =
      "Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization,"
          + " X-Requested-With, If-Modified-Since";

  /**
   * The patterns of allowed origins.
   *
   * @throws IllegalArgumentException for an expression that is malformed
   */
  static List<Pattern> patterns(List<String> expressions) {
    try {
      return expressions.stream().map(Pattern::compile).toList();
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  @Override
  public ApiResponse answer(Exchange exchange) {
    String origin = exchange.request().header("Origin");
    if (origin.isEmpty() || origins.stream().noneMatch(each -> each.matcher(origin).find())) {
      return next.answer(exchange);
    }
    ApiResponse answer =
        exchange.request().method().equals("OPTIONS")
            ? new ApiResponse(204, List.of(), Payload.of(new byte[0]))
            : next.answer(exchange);
    return answer
        .with("Access-Control-Allow-Origin", origin)
        .with("Access-Control-Allow-Methods", METHODS)
        .with("Access-Control-Allow-Headers", HEADERS)
        .with("Access-Control-Expose-Headers", "Date")
        .with("Access-Control-Allow-Credentials", "true");
  }
}
