package dev.keelson.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreparedStoreTest {

  private static final AtomicInteger RUNS = new AtomicInteger();

  static final class Filled implements PreparedStore {
    @Override
    public void prepare(KeelsonServer server) {
      RUNS.incrementAndGet();
      try (KubernetesClient client = server.fabric8()) {
        client.resource(KeelsonServerTest.configMap("prepared")).create();
      }
    }
  }

  static final class Failing implements PreparedStore {
    @Override
    public void prepare(KeelsonServer server) {
      throw new IllegalStateException("no luck");
    }
  }

  private static KeelsonServer.Builder filled() {
    return KeelsonServer.builder().controllers("-*").store(Filled.class);
  }

  @Test
  void servers_beginWithTheSameObjects_andChangeOnlyTheirOwn() {
    try (KeelsonServer first = filled().start();
        KeelsonServer second = filled().start();
        KubernetesClient one = first.fabric8();
        KubernetesClient two = second.fabric8()) {
      ConfigMap prepared = one.configMaps().inNamespace("default").withName("prepared").get();
      one.resource(prepared).delete();

      assertThat(two.configMaps().inNamespace("default").withName("prepared").get())
          .isEqualTo(prepared);
      assertThat(one.configMaps().inNamespace("default").withName("prepared").get()).isNull();
      assertThat(RUNS).hasValue(1);
    }
  }

  @Nested
  @KeelsonTest(store = Filled.class, flags = "--controllers=-*")
  class OfAClass {

    @Test
    void client_seesIt(KubernetesClient client) {
      assertThat(client.configMaps().inNamespace("default").withName("prepared").get()).isNotNull();
    }
  }

  @Test
  void failedPreparation_isReported_andNothingIsShared() {
    assertThatThrownBy(() -> KeelsonServer.builder().store(Failing.class).start())
        .isInstanceOf(KeelsonException.class)
        .hasMessageContaining("no luck");
    assertThatThrownBy(() -> filled().shared()).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void leftDirectory_isRemoved_andOneInUseIsNot(@TempDir Path base) throws Exception {
    try (DataDirectory used = DataDirectory.create(base)) {
      Files.createDirectories(used.path());
      Path left = Files.createDirectories(base.resolve("keelson-junit-left"));
      Files.writeString(left.resolve("keelson.db"), "x");
      Files.createFile(base.resolve("keelson-junit-left.lock"));

      DataDirectory.sweep(base);

      assertThat(left).doesNotExist();
      assertThat(used.path()).exists();
    }
    assertThat(base).isEmptyDirectory();
  }
}
