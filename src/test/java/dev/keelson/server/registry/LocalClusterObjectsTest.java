package dev.keelson.server.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class LocalClusterObjectsTest {

  private final LocalApi api;
  private final LocalClusterObjects objects;

  LocalClusterObjectsTest(@TempDir Path directory) {
    api = LocalApi.open(directory);
    objects = new LocalClusterObjects(api.catalog(), api::registry);
  }

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void unchangedObject_isDecodedOnce() {
    ApiObject created = api.createSmallest("v1", "serviceaccounts", "default", "builder");

    ApiObject first = objects.serviceAccount("default", "builder").orElseThrow();

    assertThat(first).isEqualTo(created);
    assertThat(objects.serviceAccount("default", "builder").orElseThrow()).isSameAs(first);
  }

  @Test
  void changedObject_isTheNewOne_andOthersAreNotFound() {
    ApiObject created = api.createSmallest("v1", "serviceaccounts", "default", "builder");
    assertThat(objects.serviceAccount("default", "builder")).hasValue(created);

    ApiObject changed =
        api.replace(
            "v1",
            "serviceaccounts",
            "default",
            "builder",
            created.withMeta(created.meta().with("labels", MapNode.of("team", Node.text("a")))));

    // reads are from the watch cache
    Eventually.assertEventually(
        () -> assertThat(objects.serviceAccount("default", "builder")).hasValue(changed));
    assertThat(objects.serviceAccount("other", "builder")).isEmpty();
    assertThat(objects.serviceAccount("default", "none")).isEmpty();
  }
}
