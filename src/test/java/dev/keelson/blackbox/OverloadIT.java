package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.Eventually;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.WebhookServer;
import io.restassured.response.Response;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many requests at once of a level whose seat and places in the queue are taken: every one of them
 * is refused, and nobody else suffers. {@code OverloadBench} has the figures.
 */
@Timeout(180)
class OverloadIT {

  private static final String API = "/apis/flowcontrol.apiserver.k8s.io/v1";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
  private static final String NARROW = "{flow_schema=\"narrow\",priority_level=\"narrow\"";

  /** As many as the queue of the level takes. */
  private static final int QUEUE = 2;

  /** Ten times as many as the seat and the queue take. */
  private static final int AT_ONCE = 10 * (1 + QUEUE);

  private static final int REQUESTS = 1_000;
  private static final int RENEWALS = 30;
  private static final long MEBIBYTES_MORE = 300;

  private final CountDownLatch released = new CountDownLatch(1);

  @Test
  void flood_isRefused_leasesAreRenewed_andTheServerRecovers(@TempDir Path directory)
      throws Exception {
    Path tokens = Files.writeString(directory.resolve("tokens"), TOKENS);
    try (WebhookServer webhook =
            new WebhookServer("localhost", WebhookServer.allowingAfter(released));
        KeelsonProcess server =
            KeelsonProcess.start(
                directory.resolve("data"),
                List.of(
                    "--authorization-mode=AlwaysAllow",
                    "--token-auth-file=" + tokens,
                    "--max-requests-inflight=20",
                    "--max-mutating-requests-inflight=10",
                    // a quarter of it is how long requests may wait in the queue
                    "--request-timeout=10m",
                    "--sqlite-synchronous=OFF",
                    KeelsonProcess.FEW_CONTROLLERS));
        HttpClient http =
            HttpClient.newBuilder().sslContext(server.kubeconfig().asNobody()).build()) {
      RestClient admin = RestClient.administrator(server);
      configure(admin, http, server, webhook);
      List<CompletableFuture<HttpResponse<String>>> holding = hold(admin, http, server, webhook);
      long before = server.residentKibibytes();
      AtomicBoolean over = new AtomicBoolean();
      AtomicInteger renewals = new AtomicInteger();
      CompletableFuture<List<Integer>> leases = renew(http, server, over, renewals);

      int refused = flood(http, server, () -> renewals.get() < RENEWALS);
      long after = server.residentKibibytes();
      over.set(true);

      assertThat(leases.join()).as("renewals during the flood").containsOnly(200);
      assertThat((after - before) / 1024).as("MiB more").isLessThan(MEBIBYTES_MORE);
      // the last refusal may be counted after its response is there
      Eventually.assertEventually(() -> assertRefused(metrics(admin), refused));
      released.countDown();
      assertThat(holding).allMatch(each -> each.join().statusCode() == 201);
      assertThat(answer(http, server, "flood", "GET", MAPS, "").join().statusCode())
          .as("once the flood is over")
          .isEqualTo(200);
      Eventually.assertEventually(
          () ->
              assertThat(
                      admin.get("/debug/api_priority_and_fairness/dump_priority_levels").asString())
                  .containsPattern("narrow, +0, +true, +false, +0, +0,"));
    } finally {
      released.countDown();
    }
  }

  private static void assertRefused(List<String> metrics, int count) {
    assertThat(metrics)
        .contains(
            "apiserver_flowcontrol_rejected_requests_total%s,reason=\"queue-full\"} %d"
                .formatted(NARROW, count),
            "apiserver_flowcontrol_current_executing_requests" + NARROW + "} 1",
            "apiserver_flowcontrol_current_inqueue_requests" + NARROW + "} %d".formatted(QUEUE))
        .noneMatch(line -> line.contains("rejected") && line.contains("reason=\"time-out\""))
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("apiserver_request_terminations_total{code=\"429\",")
                    .contains("component=\"apiserver\"", "resource=\"configmaps\"")
                    .endsWith("} %d".formatted(count)));
  }

  private static void configure(
      RestClient admin, HttpClient http, KeelsonProcess server, WebhookServer webhook) {
    created(admin.post(API + "/prioritylevelconfigurations", LEVEL));
    created(admin.post(API + "/flowschemas", SCHEMA));
    created(
        admin.post(
            "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
            configuration(webhook)));
    String level =
        admin.get(API + "/prioritylevelconfigurations/narrow").jsonPath().getString("metadata.uid");
    Eventually.assertEventually(
        () ->
            assertThat(
                    answer(http, server, "flood", "GET", MAPS, "")
                        .join()
                        .headers()
                        .firstValue("X-Kubernetes-PF-PriorityLevel-UID"))
                .contains(level));
    assertThat(answer(http, server, "elected", "POST", LEASES, LEASE).join().statusCode())
        .isEqualTo(201);
  }

  private static void created(Response response) {
    assertThat(response.statusCode()).as(response.asString()).isEqualTo(201);
  }

  /** Takes the seat and all places in the queue, until the webhook answers. */
  private static List<CompletableFuture<HttpResponse<String>>> hold(
      RestClient admin, HttpClient http, KeelsonProcess server, WebhookServer webhook) {
    List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
    all.add(answer(http, server, "flood", "POST", MAPS, MAP));
    Eventually.assertEventually(() -> assertThat(webhook.requests()).isPositive());
    for (int i = 0; i < QUEUE; i++) {
      all.add(answer(http, server, "flood", "POST", MAPS, MAP));
    }
    Eventually.assertEventually(
        () ->
            assertThat(metrics(admin))
                .contains(
                    "apiserver_flowcontrol_current_inqueue_requests"
                        + NARROW
                        + "} %d".formatted(QUEUE)));
    return all;
  }

  private static List<String> metrics(RestClient admin) {
    return admin.get("/metrics").asString().lines().toList();
  }

  /** Webhooks that are called one after the other: together they may take two minutes. */
  private static String configuration(WebhookServer webhook) {
    String authority =
        Base64.getEncoder().encodeToString(webhook.pem().getBytes(StandardCharsets.UTF_8));
    String webhooks =
        IntStream.range(0, 4)
            .mapToObj(
                i ->
                    """
                    {"name": "slow-%d.example.com",
                      "clientConfig": {"url": "%s", "caBundle": "%s"},
                      "rules": [{"operations": ["CREATE"], "apiGroups": [""],
                        "apiVersions": ["v1"], "resources": ["configmaps"]}],
                      "matchConditions": [{"name": "flood", "expression":
                        "request.userInfo.username == 'flood'"}],
                      "failurePolicy": "Ignore", "sideEffects": "None", "timeoutSeconds": 30,
                      "admissionReviewVersions": ["v1"]}
                    """
                        .formatted(i, webhook.url(), authority))
            .collect(Collectors.joining(","));
    return "{\"metadata\": {\"name\": \"slow\"}, \"webhooks\": [" + webhooks + "]}";
  }

  private static final String MAP = "{\"metadata\": {\"generateName\": \"x-\"}}";

  private static final String TOKENS =
      """
      flood,flood,1,"tests"
      elected,system:kube-scheduler,2,"system:authenticated"
      """;

  private static final String LEVEL =
      """
      {"metadata": {"name": "narrow"}, "spec": {"type": "Limited", "limited": {
        "nominalConcurrencyShares": 1, "lendablePercent": 0, "borrowingLimitPercent": 0,
        "limitResponse": {"type": "Queue",
          "queuing": {"queues": 1, "handSize": 1, "queueLengthLimit": 2}}}}}
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

  private static final String LEASE =
      "{\"metadata\": {\"name\": \"leader\"}, \"spec\": {\"holderIdentity\": \"a\"}}";

  private static CompletableFuture<HttpResponse<String>> answer(
      HttpClient http,
      KeelsonProcess server,
      String token,
      String method,
      String path,
      String body) {
    return http.sendAsync(
        HttpRequest.newBuilder(URI.create(server.address() + path))
            .header("Authorization", "Bearer " + token)
            .header(
                "Content-Type",
                method.equals("PATCH") ? "application/merge-patch+json" : "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  /** Renews a lease again and again, as a leader does; the statuses of the answers. */
  private static CompletableFuture<List<Integer>> renew(
      HttpClient http, KeelsonProcess server, AtomicBoolean over, AtomicInteger renewals) {
    CompletableFuture<List<Integer>> all = new CompletableFuture<>();
    var unused =
        Thread.ofVirtual()
            .start(
                () -> {
                  List<Integer> statuses = new ArrayList<>();
                  do {
                    String patch = "{\"spec\": {\"leaseTransitions\": " + renewals.get() + "}}";
                    statuses.add(
                        answer(http, server, "elected", "PATCH", LEASES + "/leader", patch)
                            .join()
                            .statusCode());
                    int unusedCount = renewals.incrementAndGet();
                  } while (!over.get());
                  all.complete(statuses);
                });
    return all;
  }

  /**
   * Sends a thousand requests, and more while {@code longer} holds; checks that each is refused.
   *
   * @return how many
   */
  private static int flood(HttpClient http, KeelsonProcess server, BooleanSupplier longer)
      throws InterruptedException {
    Semaphore places = new Semaphore(AT_ONCE);
    List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
    for (int i = 0; i < REQUESTS || longer.getAsBoolean(); i++) {
      places.acquire();
      answers.add(
          answer(http, server, "flood", "GET", MAPS, "")
              .whenComplete((answer, error) -> places.release()));
    }
    for (CompletableFuture<HttpResponse<String>> each : answers) {
      HttpResponse<String> answer = each.join();
      assertThat(answer.statusCode()).isEqualTo(429);
      assertThat(answer.headers().firstValueAsLong("Retry-After").orElse(0)).isPositive();
      assertThat(answer.body()).contains("Too many requests, please try again later.");
    }
    return answers.size();
  }
}
