package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.WebhookServer;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A level with one seat and short queues, whose users write through a webhook that answers when the
 * test lets it: a flood of one of them, and what becomes of the others.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class PriorityAndFairnessIT {

  private static final String API = "/apis/flowcontrol.apiserver.k8s.io/v1";
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String SCHEMA_UID = "X-Kubernetes-PF-FlowSchema-UID";
  private static final String LEVEL_UID = "X-Kubernetes-PF-PriorityLevel-UID";

  /** The time at which a request began that waits. */
  private static final String WAITS = "0s, 0001-01-01T00:00:00Z";

  /** The executed one, and those of its queue. */
  private static final int FLOOD = 1 + 10;

  private static final String LEVEL =
      """
      {"metadata": {"name": "narrow"}, "spec": {"type": "Limited", "limited": {
        "nominalConcurrencyShares": 1, "lendablePercent": 0, "borrowingLimitPercent": 0,
        "limitResponse": {"type": "Queue",
          "queuing": {"queues": 64, "handSize": 1, "queueLengthLimit": 10}}}}}
      """;

  private static final String SCHEMA =
      """
      {"metadata": {"name": "narrow"}, "spec": {
        "priorityLevelConfiguration": {"name": "narrow"}, "matchingPrecedence": 50,
        "distinguisherMethod": {"type": "ByUser"},
        "rules": [{"subjects": [{"kind": "Group", "group": {"name": "tests"}}],
          "resourceRules": [{"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"],
            "namespaces": ["*"], "clusterScope": true}]}]}}
      """;

  private final Semaphore answers = new Semaphore(0);
  private final WebhookServer webhook =
      new WebhookServer("localhost", (exchange, body) -> answer(exchange, body));
  private KeelsonProcess server;
  private RestClient admin;
  private HttpClient http;

  @BeforeAll
  void start(@TempDir Path directory) {
    server =
        KeelsonProcess.start(
            directory,
            List.of(
                "--authorization-mode=AlwaysAllow",
                "--max-requests-inflight=20",
                "--max-mutating-requests-inflight=10",
                "--sqlite-synchronous=OFF"));
    admin = RestClient.administrator(server);
    http = HttpClient.newBuilder().sslContext(server.kubeconfig().asUser()).build();
    created(admin.post(API + "/prioritylevelconfigurations", LEVEL));
    created(admin.post(API + "/flowschemas", SCHEMA));
    Eventually.assertEventually(
        () ->
            assertThat(as("someone").get(CONFIG_MAPS).header(LEVEL_UID))
                .isEqualTo(uid("prioritylevelconfigurations", "narrow")));
    created(
        admin.post(
            "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
            configuration()));
  }

  @AfterAll
  void stop() {
    answers.release(1000);
    http.close();
    webhook.close();
    server.close();
  }

  @AfterEach
  void letAllPass() {
    answers.drainPermits();
  }

  private void answer(HttpExchange exchange, byte[] body) throws IOException {
    answers.acquireUninterruptibly();
    String uid = JsonPath.from(new String(body, StandardCharsets.UTF_8)).getString("request.uid");
    WebhookServer.respond(
        exchange,
        200,
        """
        {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
         "response": {"uid": "%s", "allowed": true}}
        """
            .formatted(uid));
  }

  private String configuration() {
    String authority =
        Base64.getEncoder().encodeToString(webhook.pem().getBytes(StandardCharsets.UTF_8));
    return """
    {"metadata": {"name": "slow"}, "webhooks": [{"name": "slow.example.com",
      "clientConfig": {"url": "%s", "caBundle": "%s"},
      "rules": [{"operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"],
        "resources": ["configmaps"], "scope": "Namespaced"}],
      "matchConditions": [{"name": "flood", "expression":
        "request.userInfo.username == 'flood'"}],
      "sideEffects": "None", "timeoutSeconds": 30, "admissionReviewVersions": ["v1"]}]}
    """
        .formatted(webhook.url(), authority);
  }

  private static void created(Response response) {
    assertThat(response.statusCode()).as(response.asString()).isEqualTo(201);
  }

  private String uid(String resource, String name) {
    return admin.get(API + "/" + resource + "/" + name).jsonPath().getString("metadata.uid");
  }

  private RequestSpecification as(String user) {
    return admin.request().header("Impersonate-User", user).header("Impersonate-Group", "tests");
  }

  private CompletableFuture<HttpResponse<String>> send(String user, String method, String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.address() + path))
            .header("Impersonate-User", user)
            .header("Impersonate-Group", "tests")
            .header("Content-Type", "application/json");
    return http.sendAsync(
        (method.equals("GET")
                ? request.GET()
                : request.POST(BodyPublishers.ofString("{\"metadata\":{\"generateName\":\"x-\"}}")))
            .build(),
        BodyHandlers.ofString());
  }

  @Test
  void floodOfOneUser_isQueuedAndRejected_butDelaysNobodyElse() {
    List<CompletableFuture<HttpResponse<String>>> flood = new ArrayList<>();
    for (int i = 0; i < FLOOD + 1; i++) {
      flood.add(send("flood", "POST", CONFIG_MAPS));
    }
    var above =
        (HttpResponse<?>) CompletableFuture.anyOf(flood.toArray(CompletableFuture[]::new)).join();
    assertThat(above.statusCode()).isEqualTo(429);
    assertThat(above.headers().firstValueAsLong("Retry-After").orElse(0)).isPositive();
    JsonPath status = JsonPath.from(String.valueOf(above.body()));
    assertThat(status.getString("reason")).isEqualTo("TooManyRequests");
    assertThat(status.getString("message")).isEqualTo("Too many requests, please try again later.");
    assertThat(above.headers().firstValue(LEVEL_UID)).isPresent();

    // exempt requests, and leader elections, which have seats of their own
    assertThat(admin.get(CONFIG_MAPS).statusCode()).isEqualTo(200);
    assertThat(
            admin
                .request()
                .header("Impersonate-User", "system:kube-scheduler")
                .get("/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/none")
                .statusCode())
        .isEqualTo(404);
    assertThat(RestClient.nobody(server).get("/readyz").statusCode()).isEqualTo(200);

    assertThat(metrics())
        .contains(
            meter("current_inqueue_requests", 10),
            meter("current_executing_requests", 1),
            meter("rejected_requests_total", ",reason=\"queue-full\"", 1),
            "apiserver_flowcontrol_nominal_limit_seats{priority_level=\"narrow\"} 1",
            "apiserver_flowcontrol_current_limit_seats{priority_level=\"narrow\"} 1",
            "apiserver_current_inqueue_requests{request_kind=\"mutating\"} 10");
    assertThat(metrics())
        .anyMatch(
            line -> isPositive(line, "priority_level_seat_utilization_sum{phase=\"executing\","))
        .anyMatch(
            line -> isPositive(line, "priority_level_request_utilization_sum{phase=\"waiting\","))
        .anyMatch(line -> isPositive(line, "demand_seats_sum{"));
    assertThat(dump("dump_priority_levels")).anyMatch(row -> isRow(row, "narrow", "1", "false"));
    assertThat(dump("dump_queues").stream().filter(row -> row.startsWith("narrow"))).hasSize(64);
    assertThat(dump("dump_requests?includeRequestDetails=1"))
        .filteredOn(row -> isRow(row, "narrow", "narrow"))
        .hasSize(11)
        .allMatch(row -> row.contains(" flood,") && row.contains(" configmaps,"))
        .satisfiesOnlyOnce(
            row -> assertThat(row.replaceAll(" +", " ")).doesNotContain(WAITS).contains(" -1,"))
        .filteredOn(row -> row.replaceAll(" +", " ").contains(WAITS))
        .hasSize(10);

    CompletableFuture<HttpResponse<String>> other = send("other", "GET", CONFIG_MAPS);
    int released = 0;
    while (!other.isDone()) {
      int before = webhook.requests();
      answers.release();
      released++;
      Eventually.assertEventually(
          () -> assertThat(other.isDone() || webhook.requests() > before).isTrue());
    }

    assertThat(other.join().statusCode()).isEqualTo(200);
    assertThat(released).as("requests of the flood before it").isLessThanOrEqualTo(2);
    answers.release(FLOOD);
    assertThat(flood.stream().filter(each -> each.join().statusCode() == 201)).hasSize(FLOOD);
  }

  private List<String> metrics() {
    return admin.get("/metrics").asString().lines().toList();
  }

  private static String meter(String name, int value) {
    return meter(name, "", value);
  }

  private static String meter(String name, String reason, int value) {
    String labels = "flow_schema=\"narrow\",priority_level=\"narrow\"";
    return "apiserver_flowcontrol_" + name + "{" + labels + reason + "} " + value;
  }

  /** Whether a line is the value, above 0, of the level's metric that begins so. */
  private static boolean isPositive(String line, String metric) {
    String value = line.substring(line.lastIndexOf(' ') + 1);
    return line.startsWith("apiserver_flowcontrol_" + metric)
        && line.contains("priority_level=\"narrow\"}")
        && Double.parseDouble(value) > 0;
  }

  private List<String> dump(String path) {
    return admin.get("/debug/api_priority_and_fairness/" + path).asString().lines().toList();
  }

  private static boolean isRow(String row, String... cells) {
    List<String> all = List.of(row.split(", *", -1));
    return all.size() > cells.length && all.subList(0, cells.length).equals(List.of(cells));
  }

  @Test
  void watch_holdsItsSeatOnlyUntilItHasBegun() {
    try (WatchConnections watches = new WatchConnections()) {
      for (int i = 0; i < 3; i++) {
        watches.open();
      }
      assertThat(as("watcher").get(CONFIG_MAPS).statusCode()).isEqualTo(200);
    }
  }

  /** Watches of one user, which have begun. */
  private final class WatchConnections implements AutoCloseable {
    private final List<InputStream> open = new ArrayList<>();

    void open() {
      HttpRequest request =
          HttpRequest.newBuilder(
                  URI.create(server.address() + CONFIG_MAPS + "?watch=true&timeoutSeconds=60"))
              .header("Impersonate-User", "watcher")
              .header("Impersonate-Group", "tests")
              .build();
      HttpResponse<InputStream> response =
          http.sendAsync(request, BodyHandlers.ofInputStream()).join();
      assertThat(response.statusCode()).isEqualTo(200);
      open.add(response.body());
    }

    @Override
    public void close() {
      for (InputStream each : open) {
        try {
          each.close();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  @Test
  void everyAnswer_namesItsFlowSchemaAndLevel() {
    Response exempt = admin.get("/version");
    Response missing = as("someone").get(CONFIG_MAPS + "/none");

    assertThat(exempt.header(SCHEMA_UID)).isEqualTo(uid("flowschemas", "exempt"));
    assertThat(exempt.header(LEVEL_UID)).isEqualTo(uid("prioritylevelconfigurations", "exempt"));
    assertThat(missing.statusCode()).isEqualTo(404);
    assertThat(missing.header(SCHEMA_UID)).isEqualTo(uid("flowschemas", "narrow"));
  }

  @Test
  void schemaOfAMissingLevel_isDanglingAtOnce_andNotUsed() {
    created(
        admin.post(
            API + "/flowschemas",
            SCHEMA
                .replace("\"name\": \"narrow\"}, \"matching", "\"name\": \"gone\"}, \"matching")
                .replace("{\"name\": \"narrow\"}, \"spec\"", "{\"name\": \"lost\"}, \"spec\"")
                .replace("50", "49")));

    Eventually.assertEventually(
        () ->
            assertThat(
                    admin
                        .get(API + "/flowschemas/lost")
                        .jsonPath()
                        .getString("status.conditions[0].status"))
                .isEqualTo("True"));
    assertThat(as("someone").get(CONFIG_MAPS).header(SCHEMA_UID))
        .isEqualTo(uid("flowschemas", "narrow"));
    assertThat(admin.delete(API + "/flowschemas/lost").statusCode()).isEqualTo(200);
  }

  @Test
  void withoutTheFlag_requestsAreNotClassified(@TempDir Path directory) {
    try (KeelsonProcess plain =
        KeelsonProcess.start(directory, List.of("--enable-priority-and-fairness=false"))) {
      Response answer = RestClient.administrator(plain).get("/version");

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.header(SCHEMA_UID)).isNull();
    }
  }
}
