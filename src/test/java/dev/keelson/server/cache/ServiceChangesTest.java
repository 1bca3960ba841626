package dev.keelson.server.cache;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.storage.object.KeyLayout;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ServiceChangesTest {

  private static final String SLICE =
      "{'metadata':{'name':'s'},'addressType':'IPv4','endpoints':[],'ports':[]}";

  private final LocalApi api;
  private final List<String> changed = new CopyOnWriteArrayList<>();
  private final AtomicInteger woken = new AtomicInteger();
  private final ServiceChanges changes;

  ServiceChangesTest(@TempDir Path directory) {
    api = LocalApi.open(directory);
    changes =
        new ServiceChanges(
            List.of(
                api.storedType("v1", "services"),
                api.storedType("discovery.k8s.io/v1", "endpointslices")),
            api.cache(),
            KeyLayout.KUBERNETES,
            changed::add);
  }

  @AfterEach
  void close() {
    changes.close();
    changes.close();
    api.close();
  }

  private void readUntil(String... namespaces) {
    assertEventually(
        () -> {
          changes.read();
          assertThat(changed).contains(namespaces);
        });
  }

  @Test
  void withoutNamespaces_nothingIsReported() {
    changes.follow(Set.of(), woken::incrementAndGet);
    api.createSmallest("v1", "services", "default", "a");

    changes.read();

    assertThat(changed).isEmpty();
    assertThat(woken).hasValue(0);
  }

  @Test
  void changes_areReportedForTheirNamespaceAlone() {
    changes.follow(Set.of("default"), woken::incrementAndGet);
    readUntil("default");
    changed.clear();
    int before = woken.get();

    api.create("discovery.k8s.io/v1", "endpointslices", "other", SLICE);
    api.create("discovery.k8s.io/v1", "endpointslices", "default", SLICE);

    assertEventually(() -> assertThat(woken.get()).isGreaterThan(before));
    readUntil("default");
    assertThat(changed).doesNotContain("other");
    changed.clear();
    changes.read();
    assertThat(changed).isEmpty();
  }

  @Test
  void namespaceThatIsNotFollowedAnyMore_isNotReported() {
    changes.follow(Set.of("default", "other"), woken::incrementAndGet);
    readUntil("default", "other");
    changes.follow(Set.of("other"), woken::incrementAndGet);
    changed.clear();

    api.create("discovery.k8s.io/v1", "endpointslices", "default", SLICE);
    api.create("discovery.k8s.io/v1", "endpointslices", "other", SLICE);

    readUntil("other");
    assertThat(changed).doesNotContain("default");
  }
}
