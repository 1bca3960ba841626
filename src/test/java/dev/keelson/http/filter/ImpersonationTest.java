package dev.keelson.http.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.Query;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ImpersonationTest {

  @Test
  void noHeaders_areNoWish() {
    assertThat(Impersonation.of(request(Map.of()))).isEmpty();
  }

  @Test
  void everyPart_isRead() {
    Map<String, List<String>> headers = new HashMap<>();
    headers.put("impersonate-user", List.of("ann"));
    headers.put("impersonate-group", List.of("dev", "system:masters"));
    headers.put("impersonate-uid", List.of("7"));
    headers.put("impersonate-extra-example.com%2fscope", List.of("a", "b"));

    assertThat(wish(headers))
        .isEqualTo(
            new Impersonation(
                "ann",
                "7",
                List.of("dev", "system:masters"),
                Map.of("example.com/scope", List.of("a", "b"))));
  }

  @Test
  void partsWithoutUser_areRefused() {
    refused(
        Map.of("impersonate-group", List.of("dev", "a\"b")),
        "requested &user.DefaultInfo{Name:\"\", UID:\"\", Groups:[]string{\"dev\", \"a\\\"b\"},"
            + " Extra:map[string][]string(nil)} without impersonating a user name");
    refused(
        Map.of("impersonate-uid", List.of("7"), "impersonate-extra-k", List.of("v")),
        "requested &user.DefaultInfo{Name:\"\", UID:\"7\", Groups:[]string(nil),"
            + " Extra:map[string][]string{\"k\":[]string{\"v\"}}} without impersonating a user"
            + " name");
  }

  private static void refused(Map<String, List<String>> headers, String message) {
    assertThatThrownBy(() -> Impersonation.of(request(headers)))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BAD_REQUEST))
        .hasMessage(message);
  }

  private static Impersonation wish(Map<String, List<String>> headers) {
    return Impersonation.of(request(headers)).orElseThrow();
  }

  private static ApiRequest request(Map<String, List<String>> headers) {
    return new ApiRequest("GET", "/api", Query.NONE, headers, new byte[0], List.of(), "");
  }
}
