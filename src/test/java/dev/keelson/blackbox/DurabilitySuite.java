package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.RestClient;
import io.restassured.response.Response;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What was answered is there after the server has gone, however it went. */
@Timeout(180)
abstract class DurabilitySuite {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final int WRITERS = 8;

  /** So many answers before the server is killed under its writers. */
  private static final int ANSWERS = 200;

  private final Path home;
  private final KeelsonProcess server;

  /**
   * Starts a server of the test's own.
   *
   * @param home a folder for the server's data and for kubectl
   * @param flags which store it uses
   */
  DurabilitySuite(Path home, List<String> flags) {
    this.home = home;
    // what controllers write meanwhile is not the matter here
    List<String> quiet =
        Stream.concat(flags.stream(), Stream.of(KeelsonProcess.FEW_CONTROLLERS)).toList();
    server = KeelsonProcess.start(home.resolve("data"), quiet);
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void stopAndStart_keepEveryObjectOfAnApplication(@TempDir Path kubectlHome) {
    String file = Path.of("src", "test", "resources", "apps", "harbour-shop.yaml").toString();
    Kubectl kubectl = new Kubectl(server.kubeconfigFile(), kubectlHome);
    assertThat(kubectl.run("apply", "-f", file).lines())
        .allMatch(line -> line.endsWith(" created"));
    String before = kubectl.run("get", "-f", file, "-o", "yaml");

    assertThat(server.stop()).isIn(0, 143);
    server.start();

    Kubectl again = new Kubectl(server.kubeconfigFile(), kubectlHome);
    assertThat(again.run("get", "-f", file, "-o", "yaml")).isEqualTo(before);
    assertThat(again.run("apply", "-f", file)).contains("deployment.apps/storefront unchanged");
    assertThat(again.run("get", "-f", file, "-o", "yaml")).isEqualTo(before);
    String deleted = again.run("delete", "-f", file);
    assertThat(deleted.lines()).allMatch(line -> line.contains(" deleted"));
  }

  @Test
  void kill_losesNoAnsweredWrite() throws Exception {
    Queue<String> answered = new ConcurrentLinkedQueue<>();
    CountDownLatch enough = new CountDownLatch(ANSWERS);
    try (HttpClient http =
            HttpClient.newBuilder().sslContext(server.kubeconfig().asUser()).build();
        ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
      URI collection = server.address().resolve(MAPS);
      for (int w = 0; w < WRITERS; w++) {
        String prefix = "w" + w + "-";
        var unused = writers.submit(() -> write(http, collection, prefix, answered, enough));
      }
      assertThat(enough.await(60, TimeUnit.SECONDS)).isTrue();
      server.kill();
    }

    server.start();

    Response listed = RestClient.administrator(server).get(MAPS);
    assertThat(listed.statusCode()).isEqualTo(200);
    Set<String> there = new TreeSet<>(listed.jsonPath().<String>getList("items.metadata.name"));
    assertThat(answered).hasSizeGreaterThanOrEqualTo(ANSWERS);
    assertThat(there).containsAll(answered);
    // at most the one write of each writer that was under way when the server went
    assertThat(there.size() - answered.size()).isBetween(0, WRITERS);
  }

  @Test
  void kill_leavesRevisionsRising() {
    RestClient first = RestClient.administrator(server);
    Response created = first.post(MAPS, Map.of("metadata", Map.of("name", "before")));
    assertThat(created.statusCode()).isEqualTo(201);

    server.kill();
    server.start();

    RestClient second = RestClient.administrator(server);
    Response after = second.post(MAPS, Map.of("metadata", Map.of("name", "after")));
    assertThat(second.get(MAPS + "/before").asString()).isEqualTo(created.asString());
    assertThat(after.jsonPath().getLong("metadata.resourceVersion"))
        .isGreaterThan(created.jsonPath().getLong("metadata.resourceVersion"));
    assertThat(home.resolve("data")).isDirectory();
  }

  /** Creates objects one after the other until the server goes away. */
  private static void write(
      HttpClient http,
      URI collection,
      String prefix,
      Queue<String> answered,
      CountDownLatch enough) {
    try {
      for (int i = 0; ; i++) {
        String name = prefix + i;
        HttpRequest create =
            HttpRequest.newBuilder(collection)
                .header("Content-Type", "application/json")
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"k\":\"v\"}}"))
                .build();
        int status = http.send(create, HttpResponse.BodyHandlers.ofByteArray()).statusCode();
        if (status != 201) {
          throw new AssertionError(name + " was answered with " + status);
        }
        answered.add(name);
        enough.countDown();
      }
    } catch (IOException gone) {
      // the server was killed, which is what this waits for
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
