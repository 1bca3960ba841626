package dev.keelson.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupResource;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.storage.encryption.AesGcm;
import dev.keelson.storage.encryption.EncryptedStore;
import dev.keelson.storage.encryption.PrefixTransformers;
import dev.keelson.storage.encryption.PrefixedTransformer;
import dev.keelson.storage.encryption.ResourceTransformers;
import dev.keelson.storage.encryption.TransformationListener;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.storage.object.ObjectStore;
import dev.keelson.storage.sqlite.SqliteOptions;
import dev.keelson.storage.sqlite.SqliteStore;
import dev.keelson.testing.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DecryptionCheckTest {

  private static final GroupResource SECRETS = new GroupResource("", "secrets");
  private static final ResourceCatalog CATALOG =
      new ResourceCatalog(BuiltInResources.all(ProtoSchemas.fromClassPath()::struct));
  private static final StoredType TYPE =
      Objects.requireNonNull(CATALOG.snapshot().find(SECRETS).getFirst().storage());

  private final ManualClock clock = new ManualClock();
  private ResourceTransformers current = withKey(1);

  private static ResourceTransformers withKey(int fill) {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) fill);
    return new ResourceTransformers(
        Map.of(
            SECRETS,
            new PrefixTransformers(
                List.of(PrefixedTransformer.of("k8s:enc:aesgcm:v1:key:", new AesGcm(key))),
                "no matching prefix found",
                TransformationListener.NONE)));
  }

  @Test
  void typeWithAnObjectThatCannotBeRead_isFound_untilItCanBeRead(@TempDir Path directory) {
    try (RevisionedStore store =
        new EncryptedStore(
            SqliteStore.open(
                SqliteOptions.defaults(directory.resolve("store.db")), InstantSource.system()),
            new StoredTransformers(new StoredResources(CATALOG, "/registry"), () -> current))) {
      ObjectStore objects = new ObjectStore(store, KeyLayout.KUBERNETES);
      WriteOutcome created = objects.create(TYPE, "default", "a", Bytes.utf8("{}"));
      assertThat(created).isInstanceOf(WriteOutcome.Applied.class);
      List<Set<String>> told = new ArrayList<>();
      DecryptionCheck check =
          new DecryptionCheck(CATALOG, objects, clock, keys -> told.add(Set.copyOf(keys)));
      ResourceTransformers before = current;

      current = withKey(2);
      check.replaced(before, current);
      assertThat(told).containsExactly(Set.of("secrets"));

      current = before;
      check.again();
      assertThat(told).as("looked at again every minute").hasSize(1);

      clock.advance(Duration.ofMinutes(1));
      check.again();
      assertThat(told).containsExactly(Set.of("secrets"), Set.of());
    }
  }
}
