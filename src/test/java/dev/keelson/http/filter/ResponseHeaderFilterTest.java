package dev.keelson.http.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.request.UserInfo;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ResponseHeaderFilterTest {

  @Test
  void warnings_areQuotedStringsInUtf8() {
    ApiRequest request =
        new ApiRequest(
            "GET", "/version", Query.NONE, Map.of(), new byte[0], List.of(), "192.0.2.1");
    RequestContext context =
        new RequestContext(new UserInfo("ann", "", List.of(), Map.of()), "audit-1");
    context.warn("say \"\u0394\" \\ \ud83d\ude80");

    ApiResponse answer =
        new ResponseHeaderFilter(exchange -> ApiResponse.of(200, "text/plain", new byte[0]))
            .answer(
                new Exchange(
                    request,
                    RequestInfoResolver.parse(request.method(), request.path(), Map.of()),
                    context));

    byte[] sent = answer.header("Warning").getBytes(StandardCharsets.ISO_8859_1);
    assertThat(new String(sent, StandardCharsets.UTF_8))
        .isEqualTo("299 - \"say \\\"\u0394\\\" \\\\ \ud83d\ude80\"");
  }
}
