package dev.keelson.http.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HealthEndpointsTest {

  private final HealthEndpoints endpoints = new HealthEndpoints();
  private final Switch storage = new Switch("storage");

  HealthEndpointsTest() {
    endpoints.add(new Switch("ping"), EnumSet.allOf(Probe.class));
    endpoints.add(storage, EnumSet.allOf(Probe.class));
    endpoints.add(new Switch("poststarthook/namespaces"), EnumSet.of(Probe.READYZ));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/healthz", "/livez", "/readyz", "/livez/", "/livez/ping", "/readyz/storage"})
  void allWell_isOk(String path) {
    assertThat(endpoints.serves(path)).isTrue();
    assertThat(endpoints.serves(path + "x")).isFalse();
    TextResponse answer = answer(path, Map.of());

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("ok");
    assertThat(answer.headers())
        .containsEntry("Content-Type", "text/plain; charset=utf-8")
        .containsEntry("X-Content-Type-Options", "nosniff");
  }

  @Test
  void verbose_listsTheChecksOfTheProbe() {
    assertThat(answer("/livez", Map.of("verbose", List.of(""))).body())
        .isEqualTo("[+]ping ok\n[+]storage ok\nlivez check passed\n");
    assertThat(answer("/readyz", Map.of("verbose", List.of("true"))).body())
        .isEqualTo(
            """
            [+]ping ok
            [+]storage ok
            [+]poststarthook/namespaces ok
            readyz check passed
            """);
  }

  @Test
  void indicators_showTheLastResultOfEachCheckAndCountAll() {
    assertThat(answer("/readyz", Map.of()).status()).isEqualTo(200);
    storage.reason = "unreachable";
    assertThat(answer("/readyz", Map.of("exclude", List.of("ping"))).status()).isEqualTo(500);

    assertThat(endpoints.indicators().body())
        .contains(
            "# TYPE kubernetes_healthcheck gauge\n",
            "kubernetes_healthcheck{name=\"ping\",type=\"readyz\"} 1\n",
            "kubernetes_healthcheck{name=\"storage\",type=\"readyz\"} 0\n",
            "# TYPE kubernetes_healthchecks_total counter\n",
            "kubernetes_healthchecks_total{name=\"ping\",status=\"success\",type=\"readyz\"} 1\n",
            "kubernetes_healthchecks_total{name=\"storage\",status=\"error\",type=\"readyz\"} 1\n",
            "kubernetes_healthchecks_total{name=\"storage\",status=\"success\",type=\"readyz\"}"
                + " 1\n")
        .doesNotContain("livez");
  }

  @Test
  void failure_isListedWithoutItsReason() {
    storage.reason = "secret address unreachable";

    TextResponse answer = answer("/readyz", Map.of());

    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.body())
        .isEqualTo(
            """
            [+]ping ok
            [-]storage failed: reason withheld
            [+]poststarthook/namespaces ok
            readyz check failed
            """);
  }

  @Test
  void failure_ofASingleCheck_hasItsReason() {
    storage.reason = "down";

    TextResponse answer = answer("/livez/storage", Map.of());

    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.body()).isEqualTo("internal server error: down\n");
  }

  @Test
  void excludedCheck_isNotAsked() {
    storage.reason = "down";

    TextResponse answer =
        answer(
            "/readyz",
            Map.of("verbose", List.of(""), "exclude", List.of("storage", "b", "a\"", "b")));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body())
        .isEqualTo(
            """
            [+]ping ok
            [+]storage excluded: ok
            [+]poststarthook/namespaces ok
            warn: some health checks cannot be excluded: no matches for "a\\"","b"
            readyz check passed
            """);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/livezz", "/", "/livez/poststarthook/namespaces", "/readyz/none", "/api"})
  void otherPaths_areNotOurs(String path) {
    assertThat(endpoints.answer(path, Map.of())).isEmpty();
  }

  private TextResponse answer(String path, Map<String, List<String>> query) {
    return endpoints.answer(path, query).orElseThrow();
  }

  private static final class Switch implements HealthCheck {
    private final String name;
    private @Nullable String reason;

    Switch(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Optional<String> failure() {
      return Optional.ofNullable(reason);
    }
  }
}
