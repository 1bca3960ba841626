package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.blackbox.operator.Garden;
import dev.keelson.blackbox.operator.GardenDefinition;
import dev.keelson.blackbox.operator.GardenOperator;
import dev.keelson.blackbox.operator.GardenSpec;
import dev.keelson.testing.FreePort;
import dev.keelson.testing.KeelsonProcess;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An operator of the Java Operator SDK on a custom resource, across restarts of the server. */
@Timeout(180)
abstract class OperatorSuite {

  private static final String NAMESPACE = "default";

  private final KeelsonProcess server;
  private final KubernetesClient client;
  private @TempDir Path generated;
  private @Nullable GardenOperator operator;

  /**
   * Starts a server of the test's own.
   *
   * @param home a folder for the server's data
   * @param flags which store it uses
   */
  OperatorSuite(Path home, List<String> flags) throws IOException {
    // clients come back to where they were, so the port has to stay
    int port = FreePort.find();
    List<String> all = new ArrayList<>(flags);
    all.addAll(List.of("--secure-port", "" + port));
    server = KeelsonProcess.start(home.resolve("data"), all);
    Config config = Config.fromKubeconfig(Files.readString(server.kubeconfigFile()));
    client = new KubernetesClientBuilder().withConfig(config).build();
  }

  @BeforeEach
  void startOperator() throws IOException {
    assertThat(GardenDefinition.install(client, generated).getMetadata().getName())
        .isEqualTo(Garden.DEFINITION);
    operator = GardenOperator.start(client);
  }

  @AfterEach
  void close() {
    if (operator != null) {
      operator.close();
    }
    client.close();
    server.close();
  }

  private void create(String name, String... beds) {
    client.resource(Garden.of(NAMESPACE, name, GardenSpec.of(beds))).create();
  }

  private Garden garden(String name) {
    return client.resources(Garden.class).inNamespace(NAMESPACE).withName(name).get();
  }

  private void awaitReconciled(String name, long generation) {
    assertEventually(
        () -> {
          Garden garden = garden(name);
          assertThat(garden.getStatus()).isNotNull();
          assertThat(garden.getStatus().observedGeneration).isEqualTo(generation);
        });
  }

  /** The ConfigMaps of a garden: uid and resourceVersion by name. */
  private Map<String, String> beds(String garden) {
    Map<String, String> beds = new TreeMap<>();
    for (ConfigMap map :
        client
            .configMaps()
            .inNamespace(NAMESPACE)
            .withLabels(GardenOperator.labels(garden))
            .list()
            .getItems()) {
      beds.put(
          map.getMetadata().getName(),
          map.getMetadata().getUid() + " " + map.getMetadata().getResourceVersion());
    }
    return beds;
  }

  private List<String> actions() {
    return Objects.requireNonNull(operator).actions();
  }

  private void restart() {
    int unused = server.stop();
    server.start();
  }

  @Test
  void garden_isReconciledAcrossARestart_andNothingIsWrittenTwice() {
    create("south", "roses", "herbs");
    awaitReconciled("south", 1);
    assertThat(beds("south")).containsOnlyKeys("south-herbs", "south-roses");
    assertThat(garden("south").getMetadata().getFinalizers())
        .containsExactly(Garden.DEFINITION + "/finalizer");
    assertThat(garden("south").getStatus().beds).isEqualTo(2);
    // the default of its definition
    assertThat(garden("south").getStatus().helpers).isEqualTo(1);
    Map<String, String> before = beds("south");
    String revision = garden("south").getMetadata().getResourceVersion();

    restart();
    create("north", "moss");
    awaitReconciled("north", 1);

    assertThat(beds("south")).isEqualTo(before);
    assertThat(garden("south").getMetadata().getResourceVersion()).isEqualTo(revision);
    assertThat(actions())
        .containsExactly("create south-roses", "create south-herbs", "create north-moss");

    Garden edited =
        client
            .resources(Garden.class)
            .inNamespace(NAMESPACE)
            .withName("south")
            .edit(
                garden -> {
                  garden.getSpec().beds = List.of("herbs", "pond");
                  return garden;
                });
    assertThat(edited.getMetadata().getGeneration()).isEqualTo(2);
    awaitReconciled("south", 2);
    assertThat(beds("south"))
        .containsOnlyKeys("south-herbs", "south-pond")
        .containsEntry("south-herbs", Objects.requireNonNull(before.get("south-herbs")));

    // what another client removed comes back, so the watch of the ConfigMaps goes on as well
    assertThat(client.configMaps().inNamespace(NAMESPACE).withName("north-moss").delete())
        .hasSize(1);
    assertEventually(() -> assertThat(beds("north")).containsOnlyKeys("north-moss"));
  }

  @Test
  void gardens_thatComeAndGoAroundARestart_areAllReconciled() {
    create("old", "roses");
    awaitReconciled("old", 1);
    for (int i = 0; i < 12; i++) {
      create("g" + i, "a", "b");
    }

    restart();

    for (int i = 0; i < 12; i++) {
      awaitReconciled("g" + i, 1);
      assertThat(beds("g" + i)).containsOnlyKeys("g" + i + "-a", "g" + i + "-b");
    }
    assertThat(actions()).doesNotHaveDuplicates();

    assertThat(client.resources(Garden.class).inNamespace(NAMESPACE).delete()).isNotEmpty();
    assertEventually(
        () ->
            assertThat(client.resources(Garden.class).inNamespace(NAMESPACE).list().getItems())
                .isEmpty());
    assertThat(actions().stream().filter(action -> action.contains("farewell")))
        .hasSize(13)
        .doesNotHaveDuplicates();
    // the owner references
    assertEventually(() -> assertThat(beds("g0")).isEmpty());
    assertEventually(() -> assertThat(beds("old")).isEmpty());
  }
}
