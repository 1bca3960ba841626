package dev.keelson.server.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.controller.storageversion.StoredResource;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.proto.ProtoSchemas;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class StorageVersionsTest {

  private final Map<String, StoredResource> byName =
      StorageVersions.of(
              new ResourceCatalog(
                      BuiltInResources.all(ProtoSchemas.fromClassPath()::struct),
                      row -> !row.gvr().group().equals("extensions"))
                  .snapshot())
          .stream()
          .collect(Collectors.toMap(StoredResource::name, Function.identity()));

  private StoredResource resource(String name) {
    return Optional.ofNullable(byName.get(name)).orElseThrow();
  }

  @Test
  void resource_hasTheVersionsThatAreReadAndServed() {
    StoredResource deployments = resource("apps.deployments");

    assertThat(deployments.encoding()).isEqualTo("apps/v1");
    assertThat(deployments.decodable()).containsExactly("apps/v1", "extensions/v1beta1");
    assertThat(deployments.served()).containsExactly("apps/v1");
  }

  @Test
  void resourcesThatShareObjects_areOneOfTheGroupInWhichTheyAreWritten() {
    assertThat(byName)
        .containsKeys("core.configmaps", "core.events", "networking.k8s.io.ingresses");
    assertThat(byName)
        .doesNotContainKeys(
            "events.k8s.io.events", "extensions.ingresses", "extensions.deployments");
    assertThat(resource("core.events").encoding()).isEqualTo("v1");
    assertThat(resource("core.events").served()).containsExactly("v1", "events.k8s.io/v1");
  }

  @Test
  void everyEncoding_isDecodable() {
    assertThat(List.copyOf(byName.values()))
        .isNotEmpty()
        .allSatisfy(each -> assertThat(each.decodable()).contains(each.encoding()));
  }
}
