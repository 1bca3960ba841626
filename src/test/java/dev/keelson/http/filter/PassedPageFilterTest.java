package dev.keelson.http.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.UserInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PassedPageFilterTest {

  private static final Body PASSED =
      new Body.Relayed() {
        @Override
        public void writeTo(Sink sink) {}

        @Override
        public void abandon() {}
      };

  @Test
  void pageOfAnotherServer_thatABrowserShows_hasNoOrigin() {
    for (String destination : List.of("document", "iframe", "object")) {
      assertThat(policy(Map.of("sec-fetch-dest", destination), PASSED))
          .as(destination)
          .startsWith("sandbox")
          .doesNotContain("allow-same-origin");
    }
  }

  @Test
  void everythingElse_isAsItWas() {
    assertThat(policy(Map.of("sec-fetch-dest", "empty"), PASSED)).isEmpty();
    assertThat(policy(Map.of(), PASSED)).isEmpty();
    assertThat(policy(Map.of("sec-fetch-dest", "document"), Body.Payload.EMPTY)).isEmpty();
    assertThat(policy(Map.of("sec-fetch-dest", "document", "x-forwarded-for", "127.0.0.1"), PASSED))
        .isEmpty();
  }

  private static String policy(Map<String, String> headers, Body body) {
    Map<String, List<String>> all = new HashMap<>();
    headers.forEach((name, value) -> all.put(name, List.of(value)));
    ApiRequest request =
        new ApiRequest("GET", "/x", Query.NONE, all, new byte[0], List.of(), "client");
    Exchange exchange =
        new Exchange(
            request,
            new RequestInfo.NonResource("/x", "get"),
            new RequestContext(new UserInfo("ann", "", List.of(), Map.of()), "id"));
    return new PassedPageFilter(unused -> new ApiResponse(200, List.of(), body))
        .answer(exchange)
        .header("Content-Security-Policy");
  }
}
