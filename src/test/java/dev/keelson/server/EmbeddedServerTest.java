package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the library does with a server is in the tests of keelson-junit; this is what it begins
 * with.
 */
class EmbeddedServerTest {

  @TempDir private Path directory;

  @Test
  void server_appliesManifests_andMovesItsTime() throws Exception {
    try (EmbeddedServer server =
        EmbeddedServer.start(List.of("--data-dir=" + directory, "--controllers=-*"))) {
      int applied =
          server.apply(
              """
              # one of each
              {apiVersion: v1, kind: Namespace, metadata: {name: made}}
              ---
              apiVersion: v1
              kind: ConfigMap
              metadata:
                name: placed
              """,
              "made");

      assertThat(applied).isEqualTo(2);
      assertThat(server.delete("/api/v1/namespaces/made/configmaps/placed")).isTrue();
      assertThat(server.delete("/api/v1/namespaces/made/configmaps/placed")).isFalse();
      assertThatThrownBy(() -> server.apply("{apiVersion: v1, kind: Nothing}", "made"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("no type Nothing of v1 is served");
      assertThat(server.advanceClock(Duration.ofHours(2))).isEqualTo(Duration.ofHours(2));
      assertThat(server.millis())
          .isGreaterThan(System.currentTimeMillis() + Duration.ofMinutes(119).toMillis());
      server.storeAway(true);
      assertThatThrownBy(
              () -> server.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}", "made"))
          .isInstanceOf(ApiException.class);
      server.storeAway(false);
      assertThat(server.kubeconfig("jane", List.of("staff")))
          .contains("127.0.0.1:" + server.port());
      assertThat(server.readJson(server.writeJson(Map.of("a", List.of(1L, true)))))
          .isEqualTo(Map.of("a", List.of(1L, true)));
    }
  }
}
