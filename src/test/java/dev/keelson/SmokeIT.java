package dev.keelson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.EtcdProcess;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.TestCertificates;
import dev.keelson.testing.TestCertificates.KeyForm;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * One round of everything that a build can break, on each store: it is short enough to be run on
 * the native executable by every build. Leaves start-up times and memory of the server in {@code
 * target/smoke}.
 */
@Timeout(600)
class SmokeIT {

  private static final String BOARD = "src/test/resources/apps/noticeboard.yaml";
  private static final String SHOP = "src/test/resources/apps/harbour-shop.yaml";

  /** An odd number, for the median; of the JVM build one start tells that it works. */
  private static final int STARTS = KeelsonProcess.isNative() ? 5 : 1;

  @TempDir Path directory;

  @Test
  void sqlite_kubectlRound_works() throws Exception {
    try (KeelsonProcess server = KeelsonProcess.start(directory.resolve("data"), List.of())) {
      round(server, "sqlite");
    }
  }

  @Test
  void etcdWithClientCertificates_kubectlRound_works() throws Exception {
    TestCertificates certificates = TestCertificates.in(directory);
    TestCertificates.Pair client = certificates.issue("keelson", KeyForm.PKCS8_EC);
    try (EtcdProcess etcd = EtcdProcess.create(certificates).start()) {
      List<String> flags =
          List.of(
              "--etcd-servers=" + etcd.endpoint(),
              "--etcd-cafile=" + certificates.authority(),
              "--etcd-certfile=" + client.certificate(),
              "--etcd-keyfile=" + client.key());
      try (KeelsonProcess server = KeelsonProcess.start(directory.resolve("data"), flags)) {
        round(server, "etcd");
      }
    }
  }

  private void round(KeelsonProcess server, String store) throws Exception {
    Kubectl kubectl = new Kubectl(server.kubeconfigFile(), directory);
    kubectl.run("create", "namespace", "smoke");
    String[] files = {"-n", "smoke", "-f", BOARD, "-f", SHOP};

    assertThat(kubectl.run(with("apply", files)).lines()).allMatch(line -> line.endsWith("ed"));
    assertThat(kubectl.run(with("apply", files)).lines())
        .isNotEmpty()
        .allMatch(
            line ->
                line.endsWith(" unchanged")
                    // kubectl always sends these, see KubectlSuite
                    || line.equals("secret/payment-keys configured")
                    || line.equals("statefulset.apps/basket-store configured")
                    || line.equals("poddisruptionbudget.policy/storefront configured"));
    patchIsWatched(kubectl);
    answersOfEveryKind(kubectl, server);
    long afterWork = server.residentKibibytes();

    // without metrics, after which nothing changes any more
    String scaler = "horizontalpodautoscaler/storefront";
    kubectl.run(
        "wait", "-n", "smoke", "--for=condition=ScalingActive=false", scaler, "--timeout=60s");
    String before = kubectl.run(with("get", with("-o", with("yaml", files))));
    assertThat(server.stop()).isIn(0, 143);
    server.start();
    assertThat(kubectl.run(with("get", with("-o", with("yaml", files))))).isEqualTo(before);

    assertThat(kubectl.run(with("delete", files)).lines()).allMatch(l -> l.endsWith("deleted"));
    assertThat(kubectl.run("get", "deployments,services,secrets", "-n", "smoke")).isEmpty();
    kubectl.run("delete", "namespace", "smoke", "--timeout=30s");
    measure(server, store, afterWork);
    assertThat(server.log()).doesNotContain("ERROR", "Exception", "MissingReflection");
  }

  private static String[] with(String first, String... others) {
    return Stream.concat(Stream.of(first), Stream.of(others)).toArray(String[]::new);
  }

  /** The watch must be open before the patch, and its first line tells that it is. */
  private static void patchIsWatched(Kubectl kubectl) throws IOException {
    Process watch =
        kubectl.start(
            "get",
            "deployment",
            "board-store",
            "-n=smoke",
            "--watch",
            "-o=jsonpath={.spec.replicas}{\"\\n\"}");
    try (BufferedReader lines = watch.inputReader(StandardCharsets.UTF_8)) {
      assertThat(lines.readLine()).isEqualTo("1");
      String patch = "{\"spec\":{\"replicas\":4}}";
      kubectl.run("patch", "deployment", "board-store", "-n=smoke", "-p", patch);
      assertThat(lines.readLine()).isEqualTo("4");
    } finally {
      watch.destroy();
    }
  }

  /** Each comes from a part of the server that the requests before have not used. */
  private static void answersOfEveryKind(Kubectl kubectl, KeelsonProcess server) {
    assertThat(kubectl.run("version", "-o", "json")).contains("serverVersion");
    assertThat(kubectl.run("api-resources")).contains("deployments", "cronjobs", "leases");
    assertThat(kubectl.run("explain", "deployment.spec.template.spec.containers"))
        .contains("image", "FIELD");
    assertThat(kubectl.run("get", "--raw", "/openapi/v2")).startsWith("{").contains("swagger");
    assertThat(kubectl.run("get", "--raw", "/readyz?verbose")).contains("ok");
    assertThat(kubectl.run("get", "--raw", "/metrics")).contains("apiserver_request");
    assertThat(kubectl.run("get", "namespaces", "-l", "absent!=x", "-o", "name"))
        .contains("namespace/smoke");
    String nameless = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: Not_A_Name\n";
    Kubectl.Result refused = kubectl.attempt(nameless, "create", "-n=smoke", "-f", "-");
    assertThat(refused.exitCode()).as(server.log()).isEqualTo(1);
    assertThat(refused.err()).contains("is invalid: metadata.name");
  }

  /**
   * Starts the server some times; the client is warm then, so that its own start does not count.
   */
  private void measure(KeelsonProcess server, String store, long afterWork) throws Exception {
    List<Duration> ready = new ArrayList<>();
    List<Duration> answered = new ArrayList<>();
    try (HttpClient client =
        HttpClient.newBuilder().sslContext(server.kubeconfig().asUser()).build()) {
      answer(client, server);
      for (int i = 0; i < STARTS; i++) {
        server.stop();
        server.start();
        long begin = System.nanoTime();
        answer(client, server);
        ready.add(server.startTime());
        answered.add(server.startTime().plusNanos(System.nanoTime() - begin));
      }
    }
    String kind = KeelsonProcess.isNative() ? "native" : "jvm";
    String line =
        String.format(
            Locale.ROOT,
            "%-6s on %-6s  ready line after %4d ms, first answer after %4d ms (medians of %d"
                + " starts), resident %d MiB after the start, %d MiB after the tests%n",
            kind,
            store,
            median(ready),
            median(answered),
            STARTS,
            server.residentKibibytes() / 1024,
            afterWork / 1024);
    Path file = Path.of("target", "smoke", kind + "-" + store + ".txt");
    Files.createDirectories(file.getParent());
    Files.writeString(file, line);
  }

  private static void answer(HttpClient client, KeelsonProcess server) throws Exception {
    URI uri = server.address().resolve("/api/v1/namespaces/default");
    HttpResponse<String> response =
        client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    assertThat(response.statusCode()).isEqualTo(200);
  }

  private static long median(List<Duration> times) {
    return times.stream().sorted().skip(times.size() / 2).findFirst().orElseThrow().toMillis();
  }
}
