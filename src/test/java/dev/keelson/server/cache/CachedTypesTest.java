package dev.keelson.server.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupResource;
import dev.keelson.config.option.CacheOptions;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.proto.ProtoSchemas;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CachedTypesTest {

  private static final ResourceCatalog CATALOG =
      new ResourceCatalog(BuiltInResources.all(ProtoSchemas.fromClassPath()::struct));

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          # enabled; default; sizes;                    resource;         kept
          true;      100;     '';                       pods;             true
          true;      100;     pods=0;                   pods;             false
          true;      100;     pods=0;                   configmaps;       true
          true;      0;       '';                       pods;             false
          true;      0;       pods=10;                  pods;             true
          true;      0;       pods=10;                  configmaps;       false
          false;     100;     pods=10;                  pods;             false
          true;      100;     deployments.apps=0;       deployments.apps; false
          true;      100;     deployments.extensions=0; deployments.apps; false
          true;      100;     deployments=0;            deployments.apps; true
          """)
  void sizes_sayWhatIsKept(
      boolean enabled, int defaultSize, String sizes, String resource, boolean kept) {
    Map<GroupResource, Integer> counts = new HashMap<>();
    if (!sizes.isEmpty()) {
      int mark = sizes.indexOf('=');
      counts.put(named(sizes.substring(0, mark)), Integer.parseInt(sizes.substring(mark + 1)));
    }
    CachedTypes types = new CachedTypes(CATALOG, new CacheOptions(enabled, defaultSize, counts));
    assertThat(types.test(stored(named(resource)))).isEqualTo(kept);
  }

  @Test
  void typesThatAreLeftOut_areReadFromTheStore_untilTheNextCall() {
    CachedTypes types = new CachedTypes(CATALOG, new CacheOptions(true, 100, Map.of()));
    StoredType secrets = stored(named("secrets"));

    types.leaveOut(Set.of(secrets.keyPrefix()));
    assertThat(types.test(secrets)).isFalse();
    assertThat(types.test(stored(named("pods")))).isTrue();

    types.leaveOut(Set.of());
    assertThat(types.test(secrets)).isTrue();
  }

  private static GroupResource named(String text) {
    int dot = text.indexOf('.');
    return dot < 0
        ? new GroupResource("", text)
        : new GroupResource(text.substring(dot + 1), text.substring(0, dot));
  }

  private static StoredType stored(GroupResource resource) {
    for (ResourceDefinition definition : CATALOG.snapshot().all()) {
      if (definition.groupResource().equals(resource)) {
        return Objects.requireNonNull(definition.storage());
      }
    }
    throw new AssertionError(resource);
  }
}
