package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.WebhookServer;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The effect of limits that others do not show, on a server whose limits are small. The table of
 * all of them is in docs/flags.md.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class LimitsIT {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String SECRETS = "/api/v1/namespaces/default/secrets";
  private static final int WORKERS = 3;
  private static final int STREAMS = 7;

  private final Semaphore answers = new Semaphore(0);
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger mostAsked = new AtomicInteger();
  private final WebhookServer webhook =
      new WebhookServer("localhost", (exchange, body) -> answer(exchange, body));
  private KeelsonProcess server;
  private RestClient admin;

  @BeforeAll
  void start(@TempDir Path directory) {
    server =
        KeelsonProcess.start(
            directory,
            List.of(
                "--authorization-mode=AlwaysAllow",
                "--sqlite-synchronous=OFF",
                "--event-ttl=1s",
                "--etcd-compaction-interval=1s",
                "--min-request-timeout=1",
                "--delete-collection-workers=" + WORKERS,
                "--http2-max-streams-per-connection=" + STREAMS,
                "--default-not-ready-toleration-seconds=7",
                "--default-unreachable-toleration-seconds=8",
                KeelsonProcess.FEW_CONTROLLERS));
    admin = RestClient.administrator(server);
    String authority =
        Base64.getEncoder().encodeToString(webhook.pem().getBytes(StandardCharsets.UTF_8));
    created(
        admin.post(
            "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
            """
            {"metadata": {"name": "slow"}, "webhooks": [{"name": "slow.example.com",
              "clientConfig": {"url": "%s", "caBundle": "%s"},
              "rules": [{"operations": ["DELETE"], "apiGroups": [""], "apiVersions": ["v1"],
                "resources": ["secrets"]}],
              "sideEffects": "None", "timeoutSeconds": 30, "admissionReviewVersions": ["v1"]}]}
            """
                .formatted(webhook.url(), authority)));
  }

  @AfterAll
  void stop() {
    answers.release(1000);
    webhook.close();
    server.close();
  }

  private void answer(HttpExchange exchange, byte[] body) throws IOException {
    int unused = mostAsked.accumulateAndGet(asked.incrementAndGet(), Math::max);
    answers.acquireUninterruptibly();
    asked.decrementAndGet();
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

  private static void created(Response response) {
    assertThat(response.statusCode()).as(response.asString()).isEqualTo(201);
  }

  private CompletableFuture<HttpResponse<String>> send(
      HttpClient http, String method, String path) {
    return http.sendAsync(
        HttpRequest.newBuilder(URI.create(server.address() + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build(),
        BodyHandlers.ofString());
  }

  private HttpClient http() {
    return HttpClient.newBuilder().sslContext(server.kubeconfig().asUser()).build();
  }

  @Test
  void event_isGoneAfterItsTtl() {
    String events = "/api/v1/namespaces/default/events";
    created(
        admin.post(
            events,
            "{\"metadata\": {\"name\": \"e\"}, \"involvedObject\": {\"namespace\": \"default\"}}"));

    Eventually.assertEventually(
        () -> assertThat(admin.get(events + "/e").statusCode()).isEqualTo(404));
  }

  @Test
  void history_andContinueTokens_lastAsLongAsTheStoreKeepsThem() {
    for (int i = 0; i < 3; i++) {
      created(admin.post(MAPS, "{\"metadata\": {\"name\": \"kept" + i + "\"}}"));
    }
    JsonPath page = admin.get(MAPS + "?limit=1").jsonPath();
    String revision = page.getString("metadata.resourceVersion");
    String token = page.getString("metadata.continue");
    assertThat(token).isNotEmpty();

    AtomicInteger number = new AtomicInteger();
    Eventually.assertEventually(
        () -> {
          // the store is compacted when it has changed
          String name = "later" + number.incrementAndGet();
          created(admin.post(MAPS, "{\"metadata\": {\"name\": \"" + name + "\"}}"));
          assertThat(
                  admin
                      .get(MAPS + "?resourceVersionMatch=Exact&resourceVersion=" + revision)
                      .statusCode())
              .isEqualTo(410);
        });
    Response next = admin.get(MAPS + "?limit=1&continue=" + token);
    assertThat(next.statusCode()).isEqualTo(410);
    assertThat(next.jsonPath().getString("reason")).isEqualTo("Expired");
    assertThat(next.jsonPath().getString("message"))
        .startsWith("The provided continue parameter is too old to display a consistent list");
    assertThat(next.jsonPath().getString("metadata.continue")).isNotEmpty();
  }

  @Test
  void watchWithoutTimeout_lastsAtLeastTheMinimum_atMostTwice() {
    long begin = System.nanoTime();

    Response watch = admin.get(MAPS + "?watch=1&fieldSelector=metadata.name=none");

    assertThat(watch.statusCode()).isEqualTo(200);
    assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(1_000_000_000L);
  }

  @Test
  void watchWithTimeout_lastsThatLong() {
    long begin = System.nanoTime();

    Response watch = admin.get(MAPS + "?watch=1&timeoutSeconds=3&fieldSelector=metadata.name=none");

    assertThat(watch.statusCode()).isEqualTo(200);
    assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(3_000_000_000L);
  }

  @Test
  void deleteCollection_deletesSoManyAtATime_andEndsWithItsRequest() {
    for (int i = 0; i < 2 * WORKERS; i++) {
      created(admin.post(SECRETS, "{\"metadata\": {\"name\": \"s" + i + "\"}}"));
    }
    try (HttpClient http = http()) {
      // the deadline of a request ends what waits for a webhook
      HttpResponse<String> late = send(http, "DELETE", SECRETS + "/s0?timeout=1s").join();
      assertThat(late.statusCode()).isEqualTo(504);
      JsonPath status = JsonPath.from(late.body());
      assertThat(status.getString("reason")).isEqualTo("Timeout");
      assertThat(status.getString("message"))
          .isEqualTo("Timeout: request did not complete within the allotted timeout");
      answers.release();
      Eventually.assertEventually(() -> assertThat(asked).hasValue(0));
      assertThat(admin.get(SECRETS + "/s0").statusCode()).as("not deleted later").isEqualTo(200);
      mostAsked.set(0);

      CompletableFuture<HttpResponse<String>> all = send(http, "DELETE", SECRETS);
      Eventually.assertEventually(() -> assertThat(asked).hasValue(WORKERS));
      answers.release(2 * WORKERS);

      assertThat(all.join().statusCode()).isEqualTo(200);
      assertThat(mostAsked).hasValue(WORKERS);
      assertThat(admin.get(SECRETS).jsonPath().getList("items")).isEmpty();
    }
  }

  @Test
  void connectionOfHttp2_hasSoManyStreams() throws Exception {
    Vertx vertx = Vertx.vertx();
    try {
      URI address = server.address();
      long streams =
          vertx
              .createHttpClient(
                  new HttpClientOptions()
                      .setSsl(true)
                      .setTrustAll(true)
                      .setVerifyHost(false)
                      .setUseAlpn(true)
                      .setProtocolVersion(HttpVersion.HTTP_2))
              .request(HttpMethod.GET, address.getPort(), address.getHost(), "/version")
              .compose(request -> request.send().map(answer -> request))
              .map(request -> request.connection().remoteSettings().getMaxConcurrentStreams())
              .toCompletionStage()
              .toCompletableFuture()
              .get(60, TimeUnit.SECONDS);

      assertThat(streams).isEqualTo(STREAMS);
    } finally {
      Void unused =
          vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void pod_toleratesMissingNodesSoLong() {
    Response pod =
        admin.post(
            "/api/v1/namespaces/default/pods",
            """
            {"metadata": {"name": "p"},
             "spec": {"automountServiceAccountToken": false,
               "containers": [{"name": "c", "image": "i"}]}}
            """);

    created(pod);
    JsonPath spec = pod.jsonPath();
    assertThat(
            spec.getInt(
                "spec.tolerations.find { it.key == 'node.kubernetes.io/not-ready' }"
                    + ".tolerationSeconds"))
        .isEqualTo(7);
    assertThat(
            spec.getInt(
                "spec.tolerations.find { it.key == 'node.kubernetes.io/unreachable' }"
                    + ".tolerationSeconds"))
        .isEqualTo(8);
  }
}
