package dev.keelson.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URL;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Alone: one test compares the properties of the JVM, which a start changes for a moment. */
@Isolated
class KeelsonServerTest {

  static ConfigMap configMap(String name) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("default")
        .endMetadata()
        .addToData("k", "v")
        .build();
  }

  @Test
  void twoServers_haveStoresOfTheirOwn_andGoWithTheirDirectories() {
    KeelsonServer first = KeelsonServer.start();
    try (KeelsonServer second = KeelsonServer.builder().controllers("-*").start();
        KubernetesClient one = first.fabric8();
        KubernetesClient two = second.fabric8()) {
      one.resource(configMap("only-here")).create();

      assertThat(two.configMaps().inNamespace("default").withName("only-here").get()).isNull();
      assertThat(one.configMaps().inNamespace("default").withName("only-here").get()).isNotNull();
    }
    first.close();

    assertThat(first.kubeconfig()).doesNotExist();
  }

  @Test
  void sharedServer_isStartedOnce_andNotClosedByTests() {
    KeelsonServer shared = KeelsonServer.builder().shared();
    shared.close();

    assertThat(KeelsonServer.builder().shared()).isSameAs(shared);
    try (KubernetesClient client = shared.fabric8()) {
      assertThat(client.namespaces().withName("default").get()).isNotNull();
    }
  }

  @Test
  void server_setsNoPropertiesOfLibraries_andShowsNoClasses() {
    Set<String> before = new TreeSet<>(System.getProperties().stringPropertyNames());
    try (KeelsonServer server = KeelsonServer.start()) {
      assertThat(server.url()).startsWith("https://127.0.0.1:");
      Set<String> added = new TreeSet<>(System.getProperties().stringPropertyNames());
      added.removeAll(before);

      assertThat(added)
          .noneMatch(
              name ->
                  name.matches("(vertx|io\\.netty|quarkus|java\\.util|org\\.sqlite|jdk\\.tls).*"));
      for (String name :
          new String[] {
            "dev/keelson/server/EmbeddedServer.class",
            "org/sqlite/JDBC.class",
            "io/quarkus/runtime/Quarkus.class"
          }) {
        URL found = KeelsonServerTest.class.getClassLoader().getResource(name);
        assertThat(found).as(name).isNull();
      }
    }
  }

  @Test
  void wrongFlag_isNamed() {
    assertThatThrownBy(() -> KeelsonServer.builder().flag("--no-such-flag").start())
        .isInstanceOf(KeelsonException.class)
        .hasMessageContaining("--no-such-flag");
  }
}
