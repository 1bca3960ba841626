package dev.keelson.http.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.Query;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OtherOriginsTest {

  private final OtherOrigins origins =
      new OtherOrigins(CorsFilter.patterns(List.of("//tools.example(:|$)")));

  @Test
  void clientThatIsNoBrowser_isNoPage() {
    assertThat(origins.caused(request(Map.of("host", "k:6443")))).isFalse();
  }

  @Test
  void pageOfTheServer_isItsOwn() {
    assertThat(origins.caused(request(Map.of("host", "k:6443", "origin", "https://k:6443"))))
        .isFalse();
    assertThat(origins.caused(request(Map.of("host", "k", "origin", "https://k:443")))).isFalse();
    assertThat(origins.caused(request(Map.of("host", "k:6443", "sec-fetch-site", "same-origin"))))
        .isFalse();
    assertThat(origins.caused(request(Map.of("host", "k:6443", "sec-fetch-site", "none"))))
        .isFalse();
  }

  @Test
  void pageOfAnotherOrigin_isFound() {
    for (String origin :
        List.of("https://evil.example", "null", "https://k:8443", "https://tools.example.evil")) {
      assertThat(origins.caused(request(Map.of("host", "k:6443", "origin", origin))))
          .as(origin)
          .isTrue();
    }
    for (String site : List.of("cross-site", "same-site")) {
      assertThat(origins.caused(request(Map.of("host", "k:6443", "sec-fetch-site", site))))
          .as(site)
          .isTrue();
    }
  }

  @Test
  void allowedOrigin_isTrusted() {
    assertThat(origins.caused(request(Map.of("host", "k:6443", "origin", "https://tools.example"))))
        .isFalse();
  }

  private static ApiRequest request(Map<String, String> headers) {
    Map<String, List<String>> all = new HashMap<>();
    headers.forEach((name, value) -> all.put(name, List.of(value)));
    return new ApiRequest("POST", "/api", Query.NONE, all, new byte[0], List.of(), "client");
  }
}
