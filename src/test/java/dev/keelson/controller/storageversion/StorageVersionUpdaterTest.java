package dev.keelson.controller.storageversion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.client.ResourceClient;
import dev.keelson.controller.bootstrap.IdentityLease;
import dev.keelson.controller.bootstrap.SystemObjects;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.client.LocalResourceClient;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.testing.LocalApi;
import dev.keelson.testing.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class StorageVersionUpdaterTest {

  private static final StoredResource MAPS =
      new StoredResource("core.configmaps", "v1", List.of("v1"), List.of("v1"));

  private final ManualClock clock = new ManualClock();
  private final LocalApi api;
  private final ResourceClient client;

  StorageVersionUpdaterTest(@TempDir Path directory) {
    api = LocalApi.openStrict(directory);
    api.catalog()
        .update(
            new ResourceCatalog.Change(
                List.of(), BuiltInResources.storageVersions(ProtoSchemas.fromClassPath()::struct)));
    client = new LocalResourceClient(api.catalog(), api.registry());
    new SystemObjects(client).ensure(new SystemObjects.Place("10.0.0.1", "192.0.2.7", 6443));
  }

  @AfterEach
  void close() {
    api.close();
  }

  private StorageVersionUpdater updater(String host, StoredResource... resources) {
    return new StorageVersionUpdater(client, IdentityLease.name(host), List.of(resources), clock);
  }

  private ApiObject stored(String name) {
    return client.get(StorageVersionUpdater.RESOURCE, "", name).orElseThrow();
  }

  @Test
  void serverWithoutALease_statesNothing() {
    assertThatThrownBy(() -> updater("a", MAPS).update())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(IdentityLease.name("a"));

    assertThat(client.list(StorageVersionUpdater.RESOURCE, "")).isEmpty();
  }

  @Test
  void server_statesItsVersionsOnce() {
    new IdentityLease(client, clock, "a").renew();
    updater("a", MAPS).update();
    ApiObject first = stored("core.configmaps");
    clock.advance(Duration.ofMinutes(10));

    updater("a", MAPS).update();

    assertThat(StorageVersionStatus.servers(first))
        .containsExactly(MAPS.of(IdentityLease.name("a")));
    assertThat(first.root().map("status").text("commonEncodingVersion")).isEqualTo("v1");
    assertThat(stored("core.configmaps").meta().resourceVersion())
        .isEqualTo(first.meta().resourceVersion());
  }

  @Test
  void serversOfOtherVersions_haveNoCommonOne() {
    new IdentityLease(client, clock, "a").renew();
    new IdentityLease(client, clock, "b").renew();
    updater("a", MAPS).update();

    updater("b", new StoredResource("core.configmaps", "v2", List.of("v1", "v2"), List.of()))
        .update();

    ApiObject both = stored("core.configmaps");
    assertThat(StorageVersionStatus.servers(both)).hasSize(2);
    assertThat(both.root().map("status").has("commonEncodingVersion")).isFalse();
    assertThat(both.root().map("status").maps("conditions").getFirst().text("status"))
        .isEqualTo("False");
  }
}
