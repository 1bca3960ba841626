package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.Eventually;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ten times as many requests at once as a level has seats and places in its queue: what is refused,
 * and what becomes of the others. {@code OverloadBench} has the figures.
 */
@Timeout(120)
class OverloadIT {

  private static final String API = "/apis/flowcontrol.apiserver.k8s.io/v1";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";

  /** One seat, and two places in the queue. */
  private static final int AT_ONCE = 10 * 3;

  private static final int REQUESTS = 3_000;
  private static final long MEBIBYTES_MORE = 300;

  @Test
  void flood_isRefused_leasesAreRenewed_andTheServerRecovers(@TempDir Path directory)
      throws Exception {
    Path tokens = Files.writeString(directory.resolve("tokens"), TOKENS);
    try (KeelsonProcess server =
            KeelsonProcess.start(
                directory.resolve("data"),
                List.of(
                    "--authorization-mode=AlwaysAllow",
                    "--token-auth-file=" + tokens,
                    "--max-requests-inflight=20",
                    "--max-mutating-requests-inflight=10",
                    "--sqlite-synchronous=OFF",
                    KeelsonProcess.FEW_CONTROLLERS));
        HttpClient http =
            HttpClient.newBuilder().sslContext(server.kubeconfig().asNobody()).build()) {
      RestClient admin = RestClient.administrator(server);
      assertThat(admin.post(API + "/prioritylevelconfigurations", LEVEL).statusCode())
          .isEqualTo(201);
      assertThat(admin.post(API + "/flowschemas", SCHEMA).statusCode()).isEqualTo(201);
      String level =
          admin
              .get(API + "/prioritylevelconfigurations/narrow")
              .jsonPath()
              .getString("metadata.uid");
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
      long before = server.residentKibibytes();
      AtomicBoolean over = new AtomicBoolean();
      AtomicInteger renewals = new AtomicInteger();
      CompletableFuture<List<Integer>> leases = renew(http, server, over, renewals);

      Map<Integer, Integer> statuses = flood(http, server);
      long after = server.residentKibibytes();
      int renewed = renewals.get();
      over.set(true);

      assertThat(statuses).containsOnlyKeys(200, 429);
      assertThat(statuses.get(429)).as("refused of %s", REQUESTS).isPositive();
      assertThat(statuses.get(200)).as("answered of %s", REQUESTS).isPositive();
      assertThat(renewed).as("renewals during the flood").isPositive();
      assertThat(leases.join()).containsOnly(200);
      assertThat((after - before) / 1024).as("MiB more").isLessThan(MEBIBYTES_MORE);
      assertThat(answer(http, server, "flood", "GET", MAPS, "").join().statusCode())
          .as("once the flood is over")
          .isEqualTo(200);
      assertThat(admin.get("/debug/api_priority_and_fairness/dump_priority_levels").asString())
          .containsPattern("narrow, +0, +true, +false, +0, +0,");
    }
  }

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

  private static Map<Integer, Integer> flood(HttpClient http, KeelsonProcess server)
      throws InterruptedException {
    Semaphore places = new Semaphore(AT_ONCE);
    List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      places.acquire();
      answers.add(
          answer(http, server, "flood", "GET", MAPS, "")
              .whenComplete((answer, error) -> places.release()));
    }
    Map<Integer, Integer> statuses = new TreeMap<>();
    for (CompletableFuture<HttpResponse<String>> each : answers) {
      HttpResponse<String> answer = each.join();
      int unused = statuses.merge(answer.statusCode(), 1, Integer::sum);
      if (answer.statusCode() == 429) {
        assertThat(answer.headers().firstValueAsLong("Retry-After").orElse(0)).isPositive();
        assertThat(answer.body()).contains("Too many requests, please try again later.");
      }
    }
    return statuses;
  }
}
