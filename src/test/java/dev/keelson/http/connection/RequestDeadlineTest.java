package dev.keelson.http.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.Query;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.RequestInfoResolver;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestDeadlineTest {

  private static final Duration MOST = Duration.ofSeconds(60);

  private static Duration of(String path, String timeout) {
    Query query = Query.parse(timeout.isEmpty() ? "" : "timeout=" + timeout);
    ApiRequest request =
        new ApiRequest("GET", path, query, Map.of(), new byte[0], List.of(), "192.0.2.1");
    RequestInfo info = RequestInfoResolver.parse("GET", path, query.firsts());
    return RequestDeadline.of(request, info, MOST);
  }

  @ParameterizedTest
  @CsvSource({
    "'', PT60S", "10s, PT10S", "1m, PT60S", "1.5s, PT1.5S", ".5s, PT0.5S", "1s500ms, PT1.5S",
    "1ns, PT0.000000001S", "0, PT60S", "0s, PT60S", "-5s, PT60S", "10m, PT60S", "300h, PT60S"
  })
  void timeout_isWhatTheClientAsksFor_upToTheBound(String text, Duration expected) {
    assertThat(of("/api/v1/pods", text)).isEqualTo(expected);
  }

  @Test
  void withoutTheParameter_theBoundCounts() {
    assertThat(of("/", "")).isEqualTo(MOST);
  }

  @ParameterizedTest
  @CsvSource({
    "invalid, invalid duration",
    "1, missing unit in duration",
    "1s2, missing unit in duration",
    "3x, 'unknown unit \"x\" in duration'",
    "., invalid duration",
    "-, invalid duration",
    "1..s, missing unit in duration",
    "9999999999h, invalid duration"
  })
  void timeout_thatIsNone_isABadRequest(String text, String why) {
    assertThatThrownBy(() -> of("/version", text))
        .isInstanceOfSatisfying(
            ApiException.class, error -> assertThat(error.reason()).isEqualTo(Reason.BAD_REQUEST))
        .hasMessage(
            "invalid timeout specified in the request URL - time: " + why + " \"" + text + '"');
  }

  @ParameterizedTest
  @CsvSource({"/api/v1/watch/pods, 1s", "/api/v1/namespaces/default/pods/a/exec, nonsense"})
  void longRequests_haveNoneOfTheirOwn(String path, String text) {
    assertThat(of(path, text)).isEqualTo(MOST);
  }
}
