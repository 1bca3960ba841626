package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.EtcdProcess;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RawConnection;
import dev.keelson.testing.RestClient;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.io.IOException;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The deadlines of requests ({@code timeout=}, {@code --request-timeout}) end their work. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(180)
class DeadlinesIT {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String SECRETS = "/api/v1/namespaces/default/secrets";
  private static final String POLICIES =
      "/apis/admissionregistration.k8s.io/v1/validatingadmission";

  /** Shorter than the time after which the server gives an answer of etcd up. */
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(8);

  private static final int POLICY_COUNT = 10;
  private static final int SECRET_BYTES = 700_000;
  private static final int SECRET_COUNT = 40;

  private final EtcdProcess etcd = EtcdProcess.create();
  private KeelsonProcess server;
  private RestClient admin;
  private HttpClient http;

  @BeforeAll
  void start(@TempDir Path directory) {
    etcd.start();
    server =
        KeelsonProcess.start(
            directory,
            List.of(
                "--authorization-mode=AlwaysAllow",
                "--etcd-servers=" + etcd.endpoint(),
                "--request-timeout=" + REQUEST_TIMEOUT.toSeconds() + "s",
                KeelsonProcess.FEW_CONTROLLERS));
    admin = RestClient.administrator(server);
    http = HttpClient.newBuilder().sslContext(server.kubeconfig().asUser()).build();
  }

  @AfterAll
  void stop() {
    http.close();
    server.close();
    etcd.close();
  }

  private CompletableFuture<HttpResponse<String>> send(String method, String path, String body) {
    return http.sendAsync(
        HttpRequest.newBuilder(URI.create(server.address() + path))
            .header(
                "Content-Type",
                method.equals("PATCH") ? "application/merge-patch+json" : "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private static void assertTimeout(HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(504);
    JsonPath status = JsonPath.from(response.body());
    assertThat(status.getString("kind")).isEqualTo("Status");
    assertThat(status.getString("reason")).isEqualTo("Timeout");
    assertThat(status.getString("message"))
        .isEqualTo("Timeout: request did not complete within the allotted timeout");
  }

  private void created(String path, String body) {
    assertEventually(
        () -> {
          Response response = admin.post(path, body);
          assertThat(response.statusCode()).as(response.asString()).isIn(201, 409);
        });
  }

  private static String map(String name, String data) {
    return "{\"metadata\": {\"name\": \"" + name + "\"}, \"data\": {" + data + "}}";
  }

  @Test
  void etcdThatStalls_isNotWaitedForAfterTheDeadline() {
    created(MAPS, map("stalled", ""));
    String one = MAPS + "/stalled";
    List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();

    etcd.pause();
    try {
      asked.add(send("GET", one + "?timeout=1s", ""));
      asked.add(send("GET", MAPS + "?timeout=1s", ""));
      asked.add(send("POST", MAPS + "?timeout=1s", map("other", "")));
      asked.add(send("PUT", one + "?timeout=1s", map("stalled", "\"a\": \"1\"")));
      asked.add(send("PATCH", one + "?timeout=1s", "{\"data\": {\"b\": \"1\"}}"));
      asked.add(send("DELETE", one + "?timeout=1s", ""));
      asked.add(send("GET", one, ""));
      asked.add(send("PATCH", one, "{\"data\": {\"c\": \"1\"}}"));

      assertThat(asked).allSatisfy(each -> assertTimeout(each.join()));
      assertEventually(() -> assertThat(inFlight("mutating")).isEqualTo("0"));
      assertEventually(
          () ->
              assertThat(admin.get("/metrics").asString())
                  .containsPattern(
                      "\napiserver_request_terminations_total\\{code=\"504\",component=\"apiserver\","
                          + "group=\"\",resource=\"configmaps\",.*verb=\"PATCH\",.*} [1-9]")
                  .containsPattern(
                      "\napiserver_request_post_timeout_total\\{source=\"timeout-handler\","
                          + "status=\"ok\"} [1-9]"));
    } finally {
      etcd.resume();
    }
    assertEventually(() -> assertThat(admin.get(MAPS).statusCode()).isEqualTo(200));
  }

  private String inFlight(String kind) {
    String name = "apiserver_current_inflight_requests{request_kind=\"" + kind + "\"} ";
    return admin
        .get("/metrics")
        .asString()
        .lines()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()))
        .findFirst()
        .orElseThrow();
  }

  /** Each of the policies costs nearly as much as one may. */
  @Test
  void costlyExpressions_endWithTheDeadline() {
    for (int i = 0; i < POLICY_COUNT; i++) {
      String validations =
          IntStream.range(0, 8)
              .mapToObj(
                  each ->
                      "{\"expression\": \"object.data.all(a, object.data.all(b, a != b || a != '"
                          + each
                          + "'))\"}")
              .collect(Collectors.joining(","));
      created(
          POLICIES + "policies",
          """
          {"metadata": {"name": "costly-%d"}, "spec": {"failurePolicy": "Fail",
            "matchConstraints": {"resourceRules": [{"operations": ["CREATE"], "apiGroups": [""],
              "apiVersions": ["v1"], "resources": ["configmaps"]}],
              "objectSelector": {"matchLabels": {"costly": "yes"}}},
            "validations": [%s]}}
          """
              .formatted(i, validations));
      created(
          POLICIES + "policybindings",
          """
          {"metadata": {"name": "costly-%1$d"}, "spec": {"policyName": "costly-%1$d",
            "validationActions": ["Deny"]}}
          """
              .formatted(i));
    }
    String data =
        IntStream.range(0, 300)
            .mapToObj(i -> "\"k" + i + "\": \"\"")
            .collect(Collectors.joining(","));
    String costly =
        "{\"metadata\": {\"name\": \"costly\", \"labels\": {\"costly\": \"yes\"}}, \"data\": {"
            + data
            + "}}";
    // the policies are in force, and their code is compiled
    long whole = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      long begin = System.nanoTime();
      HttpResponse<String> response = send("POST", MAPS + "?dryRun=All", costly).join();
      assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
      whole = Math.min(whole, System.nanoTime() - begin);
    }

    long millis = Math.max(1, Duration.ofNanos(whole).toMillis() / 10);
    assertTimeout(send("POST", MAPS + "?timeout=" + millis + "ms", costly).join());

    assertEventually(() -> assertThat(inFlight("mutating")).isEqualTo("0"));
    assertThat(admin.get(MAPS + "/costly").statusCode()).as("not created later").isEqualTo(404);
  }

  @Test
  void longList_isCutAtTheDeadline() throws IOException {
    for (int i = 0; i < SECRET_COUNT; i++) {
      created(
          SECRETS,
          "{\"metadata\": {\"name\": \"s%d\"}, \"stringData\": {\"x\": \"%s\"}}"
              .formatted(i, "x".repeat(SECRET_BYTES)));
    }
    try (RawConnection connection =
        RawConnection.tls(server.address(), server.kubeconfig().asUser(), "http/1.1")) {
      RawConnection.Response head =
          connection.ask("", "GET " + SECRETS + "?timeout=2s HTTP/1.1", "Host: a");
      assertThat(head.status()).isEqualTo(200);
      assertEventually(
          () ->
              assertThat(admin.get("/metrics").asString().lines())
                  .anyMatch(
                      line ->
                          line.startsWith("apiserver_request_total{")
                              && line.contains("resource=\"secrets\"")
                              && line.contains("verb=\"LIST\"")));
      assertThat(rest(connection)).doesNotEndWith("0\r\n\r\n");
      // counted once the connection is closed
      assertEventually(
          () ->
              assertThat(admin.get("/metrics").asString())
                  .containsPattern(
                      "\napiserver_request_aborts_total\\{group=\"\",resource=\"secrets\",.*verb=\"LIST\",.*} 1"));
    }
  }

  /** What is left to read, at the end a few bytes before it. */
  private static String rest(RawConnection connection) throws IOException {
    byte[] part = new byte[1 << 16];
    String last = "";
    try {
      for (int n = connection.in().read(part); n >= 0; n = connection.in().read(part)) {
        String read = last + new String(part, 0, n, StandardCharsets.ISO_8859_1);
        last = read.substring(Math.max(0, read.length() - 16));
      }
    } catch (SocketException | javax.net.ssl.SSLException reset) {
      return last;
    }
    return last;
  }
}
