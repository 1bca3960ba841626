package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.TestAuthority;
import dev.keelson.testing.TestAuthority.Period;
import dev.keelson.testing.TestIdentity;
import dev.keelson.testing.kubelet.ContainerLog;
import dev.keelson.testing.kubelet.KubeletStandIn;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.LocalPortForward;
import io.fabric8.kubernetes.client.dsl.ExecWatch;
import io.fabric8.kubernetes.client.dsl.LogWatch;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Logs, exec, attach, port forward, copies and proxies by kubectl and fabric8, with kubelets that
 * speak the real protocols: one that takes WebSockets of all versions, one as before 1.36.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(180)
class NodesIT {

  /** How bytes come from kubectl to the kubelet. */
  enum Way {
    /** WebSocket to the server, SPDY to the kubelet. */
    TRANSLATED,
    /** WebSocket all the way. */
    DIRECT,
    /** SPDY all the way. */
    SPDY;

    String pod() {
      return this == DIRECT ? "new" : "old";
    }

    Map<String, String> environment() {
      String webSockets = Boolean.toString(this != SPDY);
      return Map.of(
          "KUBECTL_REMOTE_COMMAND_WEBSOCKETS", webSockets,
          "KUBECTL_PORT_FORWARD_WEBSOCKETS", webSockets);
    }
  }

  private final TestAuthority servers = TestAuthority.root("kubelets", Period.now());
  private final TestAuthority clients = TestAuthority.root("clients", Period.now());
  private KubeletStandIn before;
  private KubeletStandIn now;
  private KeelsonProcess server;
  private Kubectl kubectl;
  private Path directory;

  @BeforeAll
  void start(@TempDir Path temporary) throws IOException {
    directory = temporary;
    before = new KubeletStandIn(servers, clients, /* webSockets= */ false);
    now = new KubeletStandIn(servers, clients, /* webSockets= */ true);
    TestIdentity own = clients.identity("CN=apiserver,O=system:masters");
    Path authority = Files.writeString(directory.resolve("kubelets.pem"), servers.pem());
    Path certificate = Files.writeString(directory.resolve("own.pem"), own.certificatePem());
    Path key = Files.writeString(directory.resolve("own.key"), own.keyPem());
    server =
        KeelsonProcess.start(
            directory.resolve("server"),
            List.of(
                "--http-idle-timeout=2s",
                "--kubelet-allow-local-addresses",
                "--kubelet-certificate-authority=" + authority,
                "--kubelet-client-certificate=" + certificate,
                "--kubelet-client-key=" + key));
    kubectl = new Kubectl(server.kubeconfigFile(), Files.createDirectory(directory.resolve("h")));
    node("n1", before.port(), "");
    node("n2", now.port(), "\"ExtendWebSocketsToKubelet\"");
    pod("old", "n1", "{\"name\":\"c\",\"image\":\"i\"}");
    pod("new", "n2", "{\"name\":\"c\",\"image\":\"i\"}");
    pod("two", "n1", "{\"name\":\"a\",\"image\":\"i\"},{\"name\":\"b\",\"image\":\"i\"}");
  }

  @AfterAll
  void stop() {
    server.close();
    before.close();
    now.close();
  }

  private void node(String name, int port, String features) {
    String unused =
        kubectl.runWithInput(
            "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"" + name + "\"}}",
            "create",
            "-f",
            "-");
    unused =
        kubectl.run(
            "patch",
            "node",
            name,
            "--subresource=status",
            "-p",
            """
            {"status":{"addresses":[{"type":"InternalIP","address":"127.0.0.1"}],
             "daemonEndpoints":{"kubeletEndpoint":{"Port":%d}},"declaredFeatures":[%s]}}
            """
                .formatted(port, features));
  }

  private void pod(String name, String node, String containers) {
    assertEventually(
        () -> assertThat(kubectl.run("get", "serviceaccounts", "-o", "name")).contains("default"));
    String unused =
        kubectl.runWithInput(
            """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s"},"spec":{"nodeName":"%s",
             "containers":[%s]}}
            """
                .formatted(name, node, containers),
            "create",
            "-f",
            "-");
    if (!node.isEmpty()) {
      unused =
          kubectl.run(
              "patch",
              "pod",
              name,
              "--subresource=status",
              "-p",
              "{\"status\":{\"phase\":\"Running\"}}");
    }
  }

  private Kubectl.Result attempt(Way way, String input, String... arguments) {
    return kubectl.attemptWith(way.environment(), input, arguments);
  }

  private KubeletStandIn kubelet(Way way) {
    return way == Way.DIRECT ? now : before;
  }

  @Test
  void logs_haveTheOptionsOfTheClient() {
    Instant noon = Instant.parse("2026-01-02T12:00:00Z");
    ContainerLog log = before.log("default", "two", "b");
    log.add(noon, "one");
    log.add(noon.plusSeconds(60), "two");
    log.add(noon.plusSeconds(120), "three");
    before.log("default", "two", "b before").add(noon, "of the last run");

    assertThat(kubectl.run("logs", "two", "-c", "b")).isEqualTo("one\ntwo\nthree\n");
    assertThat(kubectl.run("logs", "two", "-c", "b", "--tail=1")).isEqualTo("three\n");
    assertThat(kubectl.run("logs", "two", "-c", "b", "--tail=0")).isEmpty();
    assertThat(kubectl.run("logs", "two", "-c", "b", "--previous")).isEqualTo("of the last run\n");
    assertThat(kubectl.run("logs", "two", "-c", "b", "--timestamps", "--tail=1"))
        .isEqualTo("2026-01-02T12:02:00Z three\n");
    assertThat(kubectl.run("logs", "two", "-c", "b", "--limit-bytes=5")).isEqualTo("one\nt");
    assertThat(kubectl.run("logs", "two", "-c", "b", "--since-time=2026-01-02T12:01:00Z"))
        .isEqualTo("two\nthree\n");
    assertThat(kubectl.run("logs", "two", "-c", "b", "--since=1s")).isEmpty();
    assertThat(kubectl.run("logs", "two", "--all-containers")).isEqualTo("one\ntwo\nthree\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "logs none|pods \"none\" not found",
        "logs old -c x|error: container x is not valid for pod old",
        "logs old --limit-bytes=-1|error: --limit-bytes must be greater than 0",
        "exec none -- ls|Error from server (NotFound): pods \"none\" not found",
        "exec old -c x -- ls|Error from server (BadRequest): container x is not valid for pod old",
        "exec unscheduled -- ls|Error from server (BadRequest): pod unscheduled does not have a"
            + " host assigned",
        "get --raw /api/v1/namespaces/default/pods/two/log|Error from server (BadRequest): a"
            + " container name must be specified for pod two, choose one of: [a b]",
        "get --raw /api/v1/namespaces/default/pods/old/log?tailLines=-1|The PodLogOptions \"old\""
            + " is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0",
        "get --raw /api/v1/namespaces/default/pods/old/exec?command=ls&stdout=true|Error from"
            + " server (BadRequest): Upgrade request required",
        "get --raw /api/v1/nodes/none/proxy/x|Error from server (NotFound): nodes \"none\" not"
            + " found",
      })
  void errors_areThoseOfKubernetes(String arguments, String expected) {
    if (arguments.contains("unscheduled")) {
      pod("unscheduled", "", "{\"name\":\"c\",\"image\":\"i\"}");
      assertThat(kubectl.run("logs", "unscheduled")).isEmpty();
    }

    Kubectl.Result result = kubectl.attempt("", arguments.split(" ", -1));

    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).contains(expected);
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void followedLog_comesLineByLine_alsoAfterASilence(Way way) throws Exception {
    ContainerLog log = kubelet(way).log("default", way.pod(), "c");
    log.add(Instant.now(), "first");
    Process following = kubectl.start("logs", "-f", way.pod(), "--tail=1");
    try (BufferedReader lines = following.inputReader(StandardCharsets.UTF_8)) {
      assertThat(lines.readLine()).isEqualTo("first");
      log.add(Instant.now(), "second");
      assertThat(lines.readLine()).isEqualTo("second");
      log.stop();
      assertThat(lines.readLine()).isNull();
      assertThat(following.waitFor()).isZero();
    }
  }

  @Test
  void followedLog_endsAtTheKubelet_whenTheClientHasGone() throws Exception {
    ContainerLog log = before.log("default", "two", "a");
    log.add(Instant.now(), "first");
    Process following = kubectl.start("logs", "-f", "two", "-c", "a");
    assertEventually(() -> assertThat(log.followers()).isEqualTo(1));

    following.destroy();

    assertEventually(() -> assertThat(log.followers()).isZero());
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void exec_passesInputOutputsAndTheExitCode(Way way) {
    Kubectl.Result result =
        attempt(
            way,
            "from the input\n",
            "exec",
            "-i",
            way.pod(),
            "--",
            "sh",
            "-c",
            "cat; echo err >&2; exit 3");

    assertThat(result.out()).isEqualTo("from the input\n");
    assertThat(result.err()).startsWith("err\n").contains("exit code 3");
    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(attempt(way, "", "exec", way.pod(), "--", "echo", "a b", "$c").out())
        .isEqualTo("a b $c\n");
    assertThat(kubelet(way).requests().getLast())
        .isEqualTo(
            switch (way) {
                  case TRANSLATED, SPDY -> "POST";
                  case DIRECT -> "GET";
                }
                + " /exec/default/"
                + way.pod()
                + "/c?command=echo&command=a+b&command=%24c&error=1&output=1 "
                + (way == Way.DIRECT ? "websocket" : "SPDY/3.1"));
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void exec_ofAContainerThatIsMissing_tellsTheKubeletsWord(Way way) {
    Kubectl.Result result = attempt(way, "", "exec", way.pod(), "--", "refused");

    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).contains("container not found (\"c\")");
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void exec_inATerminal_hasItsSize(Way way) {
    Kubectl.Result result =
        kubectl.attemptBy(
            List.of("python3", "src/test/resources/dev/keelson/blackbox/terminal.py"),
            way.environment(),
            "exec",
            "-it",
            way.pod(),
            "--",
            "sh",
            "-c",
            "echo ready; read x; echo got $x; read y; echo and $y; exit 7");

    assertThat(result.out())
        .contains("got hello")
        .contains("resized to {\"Width\":120,\"Height\":50}")
        .contains("and bye");
    assertThat(result.exitCode()).isEqualTo(7);
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void exec_passesMuchBothWays(Way way) throws Exception {
    Path large = directory.resolve("large-" + way);
    byte[] bytes = new byte[20_000_000];
    new Random(7).nextBytes(bytes);
    Files.write(large, bytes);
    Path there = directory.resolve("there-" + way);
    Path back = directory.resolve("back-" + way);

    Kubectl.Result copied =
        attempt(way, "", "cp", large.toString(), "default/" + way.pod() + ":" + there);
    assertThat(copied.exitCode()).as(copied.err()).isZero();
    assertThat(Files.mismatch(large, there)).isEqualTo(-1);
    copied = attempt(way, "", "cp", "default/" + way.pod() + ":" + there, back.toString());
    assertThat(copied.exitCode()).as(copied.err()).isZero();
    assertThat(Files.mismatch(large, back)).isEqualTo(-1);
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void attach_isTheRunningProcess(Way way) {
    Kubectl.Result result = attempt(way, "typed\n", "attach", "-i", way.pod());

    assertThat(result.out()).contains("attached\ntyped\n");
    assertThat(result.exitCode()).as(result.err()).isZero();
  }

  /** Answers each connection with what it sent, backwards, after its end. */
  private static ServerSocket backwards() throws IOException {
    ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread unused =
        Thread.ofVirtual()
            .start(
                () -> {
                  while (!listener.isClosed()) {
                    try (Socket socket = listener.accept()) {
                      byte[] all = socket.getInputStream().readAllBytes();
                      for (int i = 0; i < all.length / 2; i++) {
                        byte first = all[i];
                        all[i] = all[all.length - 1 - i];
                        all[all.length - 1 - i] = first;
                      }
                      socket.getOutputStream().write(all);
                    } catch (IOException e) {
                      // the client or the listener has gone
                    }
                  }
                });
    return listener;
  }

  private static byte[] asked(int port, byte[] bytes) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      return socket.getInputStream().readAllBytes();
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void portForward_keepsHalfCloses_andManyConnections(Way way) throws Exception {
    Pattern ready = Pattern.compile("Forwarding from 127\\.0\\.0\\.1:(\\d+)");
    try (ServerSocket listener = backwards()) {
      Process forwarding =
          kubectl.startWith(
              way.environment(),
              "port-forward",
              "--address=127.0.0.1",
              "pod/" + way.pod(),
              ":" + listener.getLocalPort());
      try (BufferedReader lines = forwarding.inputReader(StandardCharsets.UTF_8)) {
        Matcher matcher = ready.matcher(String.valueOf(lines.readLine()));
        assertThat(matcher.find()).isTrue();
        int port = Integer.parseInt(matcher.group(1));
        assertThat(asked(port, "abc".getBytes(StandardCharsets.UTF_8)))
            .isEqualTo("cba".getBytes(StandardCharsets.UTF_8));
        byte[] large = new byte[3_000_000];
        new Random(7).nextBytes(large);
        byte[] answer = asked(port, large);
        assertThat(answer).hasSize(large.length);
        assertThat(answer[0]).isEqualTo(large[large.length - 1]);
      } finally {
        forwarding.destroy();
      }
    }
  }

  @Test
  void nodesProxy_isTheKubelet() {
    assertThat(kubectl.run("get", "--raw", "/api/v1/nodes/n1/proxy/stats/summary?a=b"))
        .isEqualTo("GET /stats/summary?a=b \n");
    assertThat(kubectl.run("get", "--raw", "/api/v1/nodes/n1:" + before.port() + "/proxy/pods"))
        .isEqualTo("GET /pods \n");
  }

  @Test
  void proxy_ofKubectl_reachesTheKubelet() throws Exception {
    Process proxy = kubectl.start("proxy", "--port=0");
    try (BufferedReader lines = proxy.inputReader(StandardCharsets.UTF_8);
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      Matcher matcher = Pattern.compile("127\\.0\\.0\\.1:\\d+").matcher(lines.readLine());
      assertThat(matcher.find()).isTrue();
      URI uri = URI.create("http://" + matcher.group() + "/api/v1/nodes/n1/proxy/configz");

      assertThat(client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body())
          .isEqualTo("GET /configz \n");
    } finally {
      proxy.destroy();
    }
  }

  @Test
  void streams_stayOpenWithoutTraffic_longerThanTheIdleTimeout() throws Exception {
    Process waiting = kubectl.start("exec", "-i", "old", "--", "sh", "-c", "read x; echo got $x");
    // --http-idle-timeout is two seconds
    assertThat(waiting.waitFor(7, TimeUnit.SECONDS)).isFalse();

    waiting.getOutputStream().write("late\n".getBytes(StandardCharsets.UTF_8));
    waiting.getOutputStream().close();

    assertThat(new String(waiting.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("got late\n");
    assertThat(waiting.waitFor()).isZero();
  }

  private KubernetesClient fabric8() throws IOException {
    return new KubernetesClientBuilder()
        .withConfig(Config.fromKubeconfig(Files.readString(server.kubeconfigFile())))
        .build();
  }

  @ParameterizedTest
  @EnumSource(names = {"TRANSLATED", "DIRECT"})
  void fabric8_execsFollowsAndForwards(Way way) throws Exception {
    ContainerLog log = kubelet(way).log("default", way.pod(), "c");
    log.add(Instant.now(), "to fabric8");
    try (KubernetesClient client = fabric8();
        ServerSocket listener = backwards()) {
      var pod = client.pods().inNamespace("default").withName(way.pod());
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try (ExecWatch exec =
          pod.writingOutput(out).exec("sh", "-c", "echo from the command; exit 4")) {
        assertThat(exec.exitCode().get(30, TimeUnit.SECONDS)).isEqualTo(4);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("from the command\n");
      }
      try (LogWatch watch = pod.tailingLines(1).watchLog();
          InputStream text = watch.getOutput()) {
        assertThat(text.readNBytes(11)).isEqualTo("to fabric8\n".getBytes(StandardCharsets.UTF_8));
      }
      try (LocalPortForward forward = pod.portForward(listener.getLocalPort());
          Socket socket = new Socket(InetAddress.getLoopbackAddress(), forward.getLocalPort())) {
        assertThat(forward.isAlive()).isTrue();
        assertThat(socket.isConnected()).isTrue();
      }
    }
  }

  @Test
  void metrics_countWebSocketsByWhereTheyEnd() {
    assertThat(attempt(Way.TRANSLATED, "", "exec", "old", "--", "true").exitCode()).isZero();

    String metrics = kubectl.run("get", "--raw", "/metrics");

    assertThat(metrics)
        .containsPattern(
            "apiserver_websocket_streaming_requests_total\\{.*translated_at_apiserver.*\\} [1-9]")
        .containsPattern("apiserver_request_total\\{.*subresource=\"exec\".*verb=\"CONNECT\"");
  }
}
