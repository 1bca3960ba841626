package dev.keelson.http.filter;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.http.Route;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.request.UserInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoutingHandlerTest {

  private final List<String> made = new ArrayList<>();
  private final RoutingHandler stage =
      new RoutingHandler(
          exchange -> ApiResponse.of(200, "text/plain", new byte[] {'r'}),
          List.of(new Counting("/one"), new Counting("/two")));

  /** Answers GET at one path, and counts how often it does. */
  private final class Counting implements Route {
    private final String path;

    Counting(String path) {
      this.path = path;
    }

    @Override
    public Optional<ApiResponse> answer(ApiRequest request) {
      if (!serves(request.path()) || !request.method().equals("GET")) {
        return Optional.empty();
      }
      made.add(path);
      return Optional.of(ApiResponse.of(200, "text/plain", path.getBytes(US_ASCII)));
    }

    @Override
    public boolean serves(String asked) {
      return asked.equals(path);
    }
  }

  private ApiResponse ask(String method, String path) {
    ApiRequest request =
        new ApiRequest(method, path, Query.NONE, Map.of(), new byte[0], List.of(), "127.0.0.1");
    return stage.answer(
        new Exchange(
            request,
            RequestInfoResolver.parse(method, path, Map.of()),
            new RequestContext(new UserInfo("u", "", List.of(), Map.of()), "id")));
  }

  @ParameterizedTest
  @CsvSource({"GET, /one", "HEAD, /one", "GET, /two"})
  void path_isAnsweredByTheRouteThatServesIt(String method, String path) {
    assertThat(new String(ask(method, path).payload().toByteArray(), US_ASCII)).isEqualTo(path);
    assertThat(made).containsExactly(path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "//api/v1/pods",
        "/api/v1//pods",
        "/api//v1/pods",
        "/apis//v1/pods",
        "/apis/apps/v1//deployments",
        "/api/v1/namespaces/a//pods",
        "/api/v1/namespaces//pods",
        "/api/v1/namespaces/a/pods//p",
        "/api/v1/namespaces/a//pods/p/proxy/x",
        "/api/v1/watch//pods"
      })
  void emptySegment_isNotFound(String path) {
    assertThatThrownBy(() -> ask("GET", path))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NOT_FOUND));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/api/v1/pods//", "/api/v1/pods/", "/api/v1/namespaces/a/pods/p/proxy/x//y"})
  void emptySegmentAtTheEndOrBelowProxy_isServed(String path) {
    assertThat(new String(ask("GET", path).payload().toByteArray(), US_ASCII)).isEqualTo("r");
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
  void otherMethod_isRefusedWithoutMakingTheAnswer(String method) {
    assertThatThrownBy(() -> ask(method, "/two"))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.METHOD_NOT_ALLOWED));
    assertThat(made).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST", "HEAD"})
  void pathOfNobody_isNotFound(String method) {
    assertThatThrownBy(() -> ask(method, "/three"))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NOT_FOUND));
  }

  @Test
  void resource_isForTheVerbs() {
    assertThat(ask("GET", "/api/v1/pods").payload().toByteArray()).containsExactly('r');
  }
}
