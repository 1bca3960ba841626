package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.testing.Eventually;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.WebhookServer;
import io.restassured.response.Response;
import java.net.ConnectException;
import java.net.Socket;
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
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What clients see from the termination signal to the end of the process. */
@Timeout(120)
class ShutdownIT {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  /** Watches of one connection. */
  private static final int STREAMS = 80;

  private static KeelsonProcess start(Path directory, String... flags) {
    return KeelsonProcess.start(
        directory,
        Stream.concat(
                Stream.of(
                    "--authorization-mode=AlwaysAllow",
                    "--sqlite-synchronous=OFF",
                    "--shutdown-grace-period=20s",
                    KeelsonProcess.FEW_CONTROLLERS),
                Stream.of(flags))
            .toList());
  }

  /** A create that is in flight until its webhook answers. */
  private static final class UnfinishedCreate implements AutoCloseable {
    private final CountDownLatch allowed = new CountDownLatch(1);
    private final WebhookServer webhook =
        new WebhookServer("localhost", WebhookServer.allowingAfter(allowed));
    private final HttpClient http;
    private final CompletableFuture<HttpResponse<Void>> answer;

    UnfinishedCreate(KeelsonProcess server) {
      String authority =
          Base64.getEncoder().encodeToString(webhook.pem().getBytes(StandardCharsets.UTF_8));
      Response configured =
          RestClient.administrator(server)
              .post(
                  "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
                  """
                  {"metadata": {"name": "slow"}, "webhooks": [{"name": "slow.example.com",
                    "clientConfig": {"url": "%s", "caBundle": "%s"},
                    "rules": [{"operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"],
                      "resources": ["secrets"]}],
                    "sideEffects": "None", "timeoutSeconds": 30,
                    "admissionReviewVersions": ["v1"]}]}
                  """
                      .formatted(webhook.url(), authority));
      assertThat(configured.statusCode()).as(configured.asString()).isEqualTo(201);
      http = HttpClient.newBuilder().sslContext(server.kubeconfig().asUser()).build();
      answer =
          http.sendAsync(
              HttpRequest.newBuilder(
                      URI.create(server.address() + "/api/v1/namespaces/default/secrets"))
                  .header("Content-Type", "application/json")
                  .POST(BodyPublishers.ofString("{\"metadata\": {\"name\": \"late\"}}"))
                  .build(),
              BodyHandlers.discarding());
      Eventually.assertEventually(() -> assertThat(webhook.requests()).isEqualTo(1));
    }

    int finish() {
      allowed.countDown();
      return answer.join().statusCode();
    }

    @Override
    public void close() {
      allowed.countDown();
      http.shutdownNow();
      webhook.close();
    }
  }

  @Test
  void duringTheDelay_everythingIsServed_butReadyzFails(@TempDir Path directory) throws Exception {
    try (KeelsonProcess server = start(directory, "--shutdown-delay-duration=2m");
        HttpClient http =
            HttpClient.newBuilder().sslContext(server.kubeconfig().asUser()).build()) {
      RestClient admin = RestClient.administrator(server);
      CompletableFuture<HttpResponse<Stream<String>>> watch = watch(http, server);
      List<String> events = new ArrayList<>();
      var unused =
          Thread.ofVirtual().start(() -> watch.join().body().forEach(line -> add(events, line)));

      Thread stop = Thread.ofPlatform().start(server::stop);
      Eventually.assertEventually(
          () -> assertThat(admin.get("/readyz").statusCode()).isEqualTo(500));
      assertThat(admin.get("/readyz?verbose").asString()).contains("[-]shutdown failed");
      assertThat(admin.get("/livez").statusCode()).isEqualTo(200);
      assertThat(admin.post(MAPS, "{\"metadata\": {\"name\": \"one\"}}").statusCode())
          .isEqualTo(201);
      Eventually.assertEventually(() -> assertThat(copy(events)).anyMatch(e -> e.contains("one")));

      server.kill();
      stop.join();
    }
  }

  private static void add(List<String> events, String line) {
    synchronized (events) {
      events.add(line);
    }
  }

  private static List<String> copy(List<String> events) {
    synchronized (events) {
      return List.copyOf(events);
    }
  }

  private static CompletableFuture<HttpResponse<Stream<String>>> watch(
      HttpClient http, KeelsonProcess server) {
    return http.sendAsync(
        HttpRequest.newBuilder(
                URI.create(
                    server.address()
                        + MAPS
                        + "?watch=1&resourceVersion=0&fieldSelector=metadata.name=one"))
            .build(),
        BodyHandlers.ofLines());
  }

  @Test
  void afterTheDelay_noConnectionIsAccepted_andRequestsInFlightFinish(@TempDir Path directory)
      throws Exception {
    try (KeelsonProcess server = start(directory);
        HttpClient http = HttpClient.newBuilder().sslContext(server.kubeconfig().asUser()).build();
        UnfinishedCreate create = new UnfinishedCreate(server)) {
      // the connection is there before the end, and is in use
      CompletableFuture<HttpResponse<Stream<String>>> watch = watch(http, server);
      assertThat(watch.join().statusCode()).isEqualTo(200);
      URI address = server.address();

      Thread stop = Thread.ofPlatform().start(server::stop);
      Eventually.assertEventually(
          () ->
              assertThatThrownBy(() -> new Socket(address.getHost(), address.getPort()).close())
                  .isInstanceOf(ConnectException.class));

      assertThat(stop.isAlive()).isTrue();
      assertThat(create.finish()).isEqualTo(201);
      assertThat(watch.join().body()).as("the watch ends, without an error").isEmpty();
      stop.join();
    }
  }

  @Test
  void withRetryAfter_furtherRequestsAreRefused_butHealthAndMetrics(@TempDir Path directory)
      throws Exception {
    try (KeelsonProcess server = start(directory, "--shutdown-send-retry-after=true");
        UnfinishedCreate create = new UnfinishedCreate(server)) {
      RestClient admin = RestClient.administrator(server);
      Thread stop = Thread.ofPlatform().start(server::stop);
      Eventually.assertEventually(() -> assertThat(admin.get(MAPS).statusCode()).isEqualTo(429));

      Response refused = admin.get(MAPS);
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.header("Retry-After")).isEqualTo("5");
      assertThat(refused.header("Connection")).isEqualTo("close");
      assertThat(refused.jsonPath().getString("message"))
          .isEqualTo("The apiserver is shutting down, please try again later.");
      assertThat(admin.get("/livez").statusCode()).isEqualTo(200);
      assertThat(admin.get("/readyz").statusCode()).isEqualTo(500);
      assertThat(admin.get("/metrics").statusCode()).isEqualTo(200);

      assertThat(create.finish()).isEqualTo(201);
      stop.join();
    }
  }

  /** 250 watches end at 200 a second at least, so that the last ones end after a second. */
  @Test
  void watches_endOverTheirGracePeriod(@TempDir Path directory) throws Exception {
    int watches = 250;
    List<HttpClient> clients = new ArrayList<>();
    try (KeelsonProcess server = start(directory, "--shutdown-watch-termination-grace-period=1s")) {
      List<CompletableFuture<HttpResponse<Stream<String>>>> all = new ArrayList<>();
      for (int i = 0; i < watches; i++) {
        if (i % STREAMS == 0) {
          clients.add(HttpClient.newBuilder().sslContext(server.kubeconfig().asUser()).build());
          // the first request opens the connection that the others share
          all.add(watch(clients.getLast(), server));
          assertThat(all.getLast().join().statusCode()).isEqualTo(200);
        } else {
          all.add(watch(clients.getLast(), server));
        }
      }
      for (CompletableFuture<HttpResponse<Stream<String>>> each : all) {
        assertThat(each.join().statusCode()).isEqualTo(200);
      }

      List<CompletableFuture<Long>> ends = new ArrayList<>();
      for (CompletableFuture<HttpResponse<Stream<String>>> each : all) {
        CompletableFuture<Long> end = new CompletableFuture<>();
        ends.add(end);
        var unused =
            Thread.ofVirtual()
                .start(
                    () -> {
                      assertThat(each.join().body()).isEmpty();
                      end.complete(System.nanoTime());
                    });
      }
      server.stop();
      List<Long> times = ends.stream().map(CompletableFuture::join).sorted().toList();

      assertThat(times.getLast() - times.getFirst()).isGreaterThan(500_000_000);
    } finally {
      clients.forEach(HttpClient::shutdownNow);
    }
  }
}
