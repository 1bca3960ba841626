package dev.keelson.http.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.http.RequestHandler;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.request.UserInfo;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CorsFilterTest {

  private static final RequestHandler BEHIND =
      exchange -> ApiResponse.of(401, "application/json", new byte[] {'x'});

  private final RequestHandler filter =
      new CorsFilter(
          CorsFilter.patterns(List.of("//example.com(:|$)", "^https://[a-z]+\\.b\\.example$")),
          BEHIND);

  @ParameterizedTest
  @CsvSource({
    "https://example.com, true",
    "http://example.com:8080, true",
    "https://a.b.example, true",
    "https://example.com.evil, false",
    "https://evil-example.com, false",
    "null, false",
    "'', false"
  })
  void allowedOrigin_mayReadTheResponse(String origin, boolean allowed) {
    ApiResponse answer = filter.answer(exchange("GET", origin));

    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo(allowed ? origin : "");
    assertThat(answer.header("Access-Control-Allow-Credentials")).isEqualTo(allowed ? "true" : "");
    assertThat(answer.header("Access-Control-Expose-Headers")).isEqualTo(allowed ? "Date" : "");
  }

  @Test
  void preflight_isAnsweredWithoutAuthentication() {
    ApiResponse answer = filter.answer(exchange("OPTIONS", "https://example.com"));

    assertThat(answer.status()).isEqualTo(204);
    assertThat(answer.payload().length()).isZero();
    assertThat(answer.header("Access-Control-Allow-Methods"))
        .isEqualTo("POST, GET, OPTIONS, PUT, DELETE, PATCH");
    assertThat(answer.header("Access-Control-Allow-Headers"))
        .isEqualTo(
            "Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization,"
                + " X-Requested-With, If-Modified-Since");
    assertThat(filter.answer(exchange("OPTIONS", "https://other.example")).status()).isEqualTo(401);
  }

  @Test
  void strictTransport_isInEveryResponse() {
    ApiResponse answer =
        new StrictTransportFilter("max-age=9; preload", BEHIND).answer(exchange("GET", ""));

    assertThat(answer.header("Strict-Transport-Security")).isEqualTo("max-age=9; preload");
  }

  @Test
  void malformedExpression_isRefused() {
    assertThatThrownBy(() -> CorsFilter.patterns(List.of("//(a$")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("missing closing )");
  }

  private static Exchange exchange(String method, String origin) {
    ApiRequest request =
        new ApiRequest(
            method,
            "/api/v1/pods",
            Query.NONE,
            origin.isEmpty() ? Map.of() : Map.of("origin", List.of(origin)),
            new byte[0],
            List.of(),
            "127.0.0.1");
    UserInfo user = new UserInfo("u", "", List.of(), Map.of());
    return new Exchange(
        request,
        RequestInfoResolver.parse(method, request.path(), Map.of()),
        new RequestContext(user, "a"));
  }
}
