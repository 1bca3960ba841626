package dev.keelson.controller.serviceaccount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.ResourceClient;
import dev.keelson.controller.bootstrap.SystemObjects;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectSink;
import dev.keelson.registry.client.LocalResourceClient;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Source: {@code TestSyncConfigMap} of kube-apiserver's legacytokentracking controller. */
@Timeout(120)
class LegacyTokenTrackingTest {

  private static final String NAME = "kube-apiserver-legacy-service-account-token-tracking";

  private final LocalApi api;
  private final ResourceClient client;

  LegacyTokenTrackingTest(@TempDir Path directory) {
    api = LocalApi.openStrict(directory);
    client = new LocalResourceClient(api.catalog(), api.registry());
    SystemObjects.createNamespace(client, "kube-system");
  }

  @AfterEach
  void close() {
    api.close();
  }

  private static final class NoTokens implements TokenSource {

    @Override
    public void listen(Runnable changed) {
      // nothing changes
    }

    @Override
    public void catchUp(ObjectSink<Kind> sink) {
      // there are none
    }
  }

  @ParameterizedTest
  @CsvSource({
    "none, 2026-02-03",
    "2026-01-02, 2026-01-02",
    "2026-01-02T00:00:00Z, 2026-02-03",
    "BAD_TIMESTAMP, 2026-02-03",
    "'', 2026-02-03"
  })
  void configMap_hasTheDaySinceWhichTokensAreTracked(String before, String after) {
    if (!before.equals("none")) {
      ApiObject unused =
          client.create(
              GroupVersion.CORE_V1.resource("configmaps"),
              "kube-system",
              new ApiObject(
                  MapNode.of("metadata", MapNode.of("name", Node.text(NAME)))
                      .with("data", MapNode.of("since", Node.text(before)))));
    }

    try (TokensController controller =
        new TokensController(
            client,
            new NoTokens(),
            (account, secret) -> "token",
            "ca",
            InstantSource.fixed(Instant.parse("2026-02-03T04:05:06Z")))) {
      controller.start();

      Eventually.assertEventually(
          () ->
              assertThat(
                      client
                          .get(GroupVersion.CORE_V1.resource("configmaps"), "kube-system", NAME)
                          .map(map -> map.root().map("data").text("since")))
                  .contains(after));
    }
  }
}
