package dev.keelson.registry.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalResourceClientTest {

  private static final GroupVersionResource MAPS = GroupVersion.CORE_V1.resource("configmaps");

  private final LocalApi api;
  private final ResourceClient client;

  LocalResourceClientTest(@TempDir Path directory) {
    api = LocalApi.open(directory);
    client = new LocalResourceClient(api.catalog(), api.registry());
  }

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void identity_ofWhatIsNotThere_isEmpty() {
    assertThat(client.getCachedIdentity(MAPS, "default", "none")).isEmpty();
    assertThat(client.getCached(MAPS, "default", "none")).isEmpty();
  }

  @Test
  void identity_isThatOfTheWholeObject_beforeAndInItsDeletion() {
    ApiObject made =
        api.create(
            "v1",
            "configmaps",
            "default",
            "{'metadata':{'name':'m','finalizers':['example.com/f']}}");
    assertThat(client.getCachedIdentity(MAPS, "default", "m"))
        .contains(
            new ResourceClient.Identity(made.meta().uid(), "", made.meta().resourceVersion()));

    client.delete(
        MAPS, "default", "m", new DeleteRequest("", "", DeleteRequest.Dependents.BACKGROUND));
    ApiObject leaving = client.get(MAPS, "default", "m").orElseThrow();
    assertThat(leaving.meta().deletionTimestamp()).isNotEmpty();
    assertThat(client.getCachedIdentity(MAPS, "default", "m"))
        .contains(
            new ResourceClient.Identity(
                made.meta().uid(),
                leaving.meta().deletionTimestamp(),
                leaving.meta().resourceVersion()));
  }
}
