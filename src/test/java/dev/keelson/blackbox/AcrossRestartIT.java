package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.FreePort;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.RestClient;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that watch while the server goes and comes back. */
@Timeout(120)
class AcrossRestartIT {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  @TempDir Path directory;
  private KeelsonProcess server;

  @BeforeEach
  void start() throws IOException {
    // clients come back to where they were, so the port has to stay
    int port = FreePort.find();
    server = KeelsonProcess.start(directory.resolve("data"), List.of("--secure-port", "" + port));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void write(String name, String value) {
    RestClient client = RestClient.administrator(server);
    Map<String, Object> map =
        Map.of("metadata", Map.of("name", name), "data", Map.of("value", value));
    int code = client.put(MAPS + "/" + name, map).statusCode();
    if (code == 404) {
      code = client.post(MAPS, map).statusCode();
    }
    assertThat(code).isIn(200, 201);
  }

  private Map<String, String> stored() {
    Map<String, String> stored = new TreeMap<>();
    for (Map<String, Object> item :
        RestClient.administrator(server)
            .get(MAPS)
            .jsonPath()
            .<Map<String, Object>>getList("items")) {
      Map<?, ?> metadata = RestSuite.metadata(item);
      stored.put(
          String.valueOf(metadata.get("name")), String.valueOf(metadata.get("resourceVersion")));
    }
    return stored;
  }

  /** Tells about every change, so that the test can wait for the informer without looking again. */
  private static final class Changes implements ResourceEventHandler<ConfigMap> {
    final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    @Override
    public void onAdd(ConfigMap map) {
      told.add("added " + map.getMetadata().getName());
    }

    @Override
    public void onUpdate(ConfigMap before, ConfigMap after) {
      if (!before.equals(after)) {
        told.add("updated " + after.getMetadata().getName());
      }
    }

    @Override
    public void onDelete(ConfigMap map, boolean finalStateUnknown) {
      told.add("deleted " + map.getMetadata().getName());
    }

    void await(String expected) throws InterruptedException {
      String next = "";
      while (!next.equals(expected)) {
        next = told.poll(60, TimeUnit.SECONDS);
        assertThat(next).as("waiting for: " + expected).isNotNull();
      }
    }
  }

  @Test
  void informer_afterAStopAndAfterAKill_hasWhatIsStored() throws Exception {
    Config config = Config.fromKubeconfig(Files.readString(server.kubeconfigFile()));
    Changes changes = new Changes();
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build();
        SharedIndexInformer<ConfigMap> informer =
            client.configMaps().inNamespace("default").inform(changes)) {
      write("a", "1");
      changes.await("added a");

      int unused = server.stop();
      server.start();
      write("a", "2");
      write("b", "1");
      changes.await("updated a");
      changes.await("added b");

      server.kill();
      server.start();
      assertThat(RestClient.administrator(server).delete(MAPS + "/a").statusCode()).isEqualTo(200);
      write("c", "1");
      changes.await("deleted a");
      changes.await("added c");

      Map<String, String> known = new TreeMap<>();
      informer
          .getStore()
          .list()
          .forEach(
              map ->
                  known.put(map.getMetadata().getName(), map.getMetadata().getResourceVersion()));
      assertThat(known).isEqualTo(stored());
    }
  }

  @Test
  void kubectl_watchesUntilTheServerEndsIt_andGoesOnFromThere() throws Exception {
    Kubectl kubectl = new Kubectl(server.kubeconfigFile(), directory);
    write("first", "1");
    Process watching =
        kubectl.start(
            "get",
            "configmaps",
            "--field-selector=metadata.name!=kube-root-ca.crt",
            "--watch",
            "--output-watch-events",
            "-o",
            "name");
    try (BufferedReader lines = watching.inputReader(StandardCharsets.UTF_8)) {
      assertThat(lines.readLine()).contains("configmap/first");
      write("second", "1");
      assertThat(lines.readLine()).contains("configmap/second");
      int unused = server.stop();
      // the server ends its watches before it goes, and so does kubectl
      assertThat(lines.readLine()).isNull();
      assertThat(watching.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      watching.destroyForcibly();
    }
    server.start();

    assertThat(kubectl.run("get", "configmaps", "-o", "name", "--chunk-size=1").lines())
        .contains("configmap/first", "configmap/second");
    Process waiting = kubectl.start("wait", "--for=delete", "configmap/first", "--timeout=60s");
    try {
      assertThat(kubectl.run("delete", "configmap", "first")).contains("deleted");
      // it is content when it sees the delete, and when it comes too late to see the object
      assertThat(waiting.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(waiting.exitValue()).isZero();
    } finally {
      waiting.destroyForcibly();
    }
    assertThat(
            kubectl.run(
                "wait", "--for=jsonpath={.data.value}=1", "configmap/second", "--timeout=60s"))
        .contains("condition met");
  }
}
