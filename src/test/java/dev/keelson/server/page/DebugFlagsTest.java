package dev.keelson.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Query;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DebugFlagsTest {

  private final List<Integer> levels = new ArrayList<>();
  private final DebugFlags flags = new DebugFlags(levels::add);

  private ApiResponse answer(String method, String path, String body) {
    return flags
        .answer(
            new ApiRequest(
                method,
                path,
                Query.parse(""),
                Map.of(),
                body.getBytes(StandardCharsets.UTF_8),
                List.of(),
                ""))
        .orElseThrow();
  }

  private static String text(ApiResponse answer) {
    return new String(answer.payload().toByteArray(), StandardCharsets.UTF_8);
  }

  @Test
  void put_setsTheVerbosity() {
    ApiResponse answer = answer("PUT", "/debug/flags/v", "6");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(text(answer)).isEqualTo("successfully set klog.logging.verbosity to 6\n");
    assertThat(answer.header("Content-Type")).isEqualTo("text/plain");
    assertThat(levels).containsExactly(6);
  }

  @ParameterizedTest
  @CsvSource({
    "high, '\"high\": invalid syntax'",
    "'', '\"\": invalid syntax'",
    "4294967296, '\"4294967296\": value out of range'"
  })
  void put_ofNoNumber_isRefused(String value, String problem) {
    ApiResponse answer = answer("PUT", "/debug/flags/v", value);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(text(answer))
        .isEqualTo(
            "failed set klog.logging.verbosity "
                + value
                + ": strconv.ParseInt: parsing "
                + problem
                + "\n");
    assertThat(levels).isEmpty();
  }

  @Test
  void otherMethods_areRefused() {
    ApiResponse answer = answer("GET", "/debug/flags/v", "");

    assertThat(answer.status()).isEqualTo(406);
    assertThat(text(answer)).isEqualTo("unsupported http method\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/debug/flags", "/debug/flags/", "/debug/flags/other"})
  void index_namesTheFlag(String path) {
    ApiResponse answer = answer("GET", path, "");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Content-Type")).isEqualTo("text/html; charset=utf-8");
    assertThat(text(answer)).contains("<tr>v<br>");
  }

  @Test
  void otherPaths_areNotServed() {
    assertThat(flags.serves("/debug/flagsx")).isFalse();
    assertThat(flags.serves("/debug/pprof")).isFalse();
  }
}
