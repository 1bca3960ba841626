package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import dev.keelson.testing.EtcdProcess;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.KeelsonProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A quota that 64 clients of two servers on one etcd compete for. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(300)
class QuotaServersIT {

  private static final int CLIENTS = 64;
  private static final int HARD = 100;
  private static final int GIVEN_BACK = 30;
  private static final Gson GSON = new Gson();
  private static final String SPACE = "/api/v1/namespaces/limited";
  private static final String SECRETS = SPACE + "/secrets";
  private static final String QUOTA = SPACE + "/resourcequotas/q";

  private final List<HttpClient> clients = new ArrayList<>();
  private final List<KeelsonProcess> servers = new ArrayList<>();
  private EtcdProcess etcd;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    etcd = EtcdProcess.create().start();
    for (String name : List.of("one", "two")) {
      KeelsonProcess server =
          KeelsonProcess.start(
              directory.resolve(name), List.of("--etcd-servers", etcd.endpoint().toString()));
      servers.add(server);
      clients.add(HttpClient.newBuilder().sslContext(server.kubeconfig().asUser()).build());
    }
  }

  @AfterAll
  void stop() {
    clients.forEach(HttpClient::close);
    servers.forEach(KeelsonProcess::close);
    etcd.close();
  }

  private HttpResponse<String> send(int server, String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(servers.get(server).address() + path))
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
    return clients.get(server).send(request, BodyHandlers.ofString());
  }

  private void create(String path, String body) throws Exception {
    HttpResponse<String> answer = send(0, "POST", path, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
  }

  private String used() {
    JsonObject quota = GSON.fromJson(quota(), JsonObject.class);
    JsonObject status = quota.getAsJsonObject("status");
    return status.has("used") ? status.getAsJsonObject("used").get("secrets").getAsString() : "";
  }

  private String quota() {
    try {
      return send(1, "GET", QUOTA, "").body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs the tasks of each number below {@code count}, from all clients of both servers. */
  private static void fromAllClients(int count, NumberedTask task) throws Exception {
    AtomicInteger next = new AtomicInteger();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Void>> loops = new ArrayList<>();
      for (int client = 0; client < CLIENTS; client++) {
        int server = client % 2;
        loops.add(
            () -> {
              for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                task.run(i, server);
              }
              return null;
            });
      }
      for (Future<Void> loop : threads.invokeAll(loops)) {
        Void unused = loop.get();
      }
    }
  }

  /** One request of many. */
  private interface NumberedTask {
    void run(int number, int server) throws Exception;
  }

  /** Creates Secrets; returns the names of those that were accepted. */
  private Queue<String> createAll(String prefix, int count) throws Exception {
    Queue<String> accepted = new ConcurrentLinkedQueue<>();
    fromAllClients(
        count,
        (i, server) -> {
          String name = prefix + i;
          HttpResponse<String> answer =
              send(
                  server,
                  "POST",
                  SECRETS,
                  "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"%s\"}}"
                      .formatted(name));
          if (answer.statusCode() == 201) {
            accepted.add(name);
          } else {
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
            assertThat(answer.body()).contains("is forbidden: exceeded quota: q, requested");
          }
        });
    return accepted;
  }

  private static Duration timeUntil(Runnable check) {
    long begin = System.nanoTime();
    Eventually.assertEventually(check);
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  @Test
  void creates_takeTheUnitsOfTheQuotaExactly_andThoseThatAreGivenBack(TestReporter reporter)
      throws Exception {
    create(
        "/api/v1/namespaces",
        "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"limited\"}}");
    create(
        SPACE + "/resourcequotas",
        """
        {"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"q"},
         "spec":{"hard":{"secrets":"%d"}}}
        """
            .formatted(HARD));
    Duration first = timeUntil(() -> assertThat(used()).isEqualTo("0"));

    Queue<String> accepted = createAll("s", 10_000);

    assertThat(accepted).hasSize(HARD);
    assertThat(used()).isEqualTo("" + HARD);

    fromAllClients(
        GIVEN_BACK,
        (i, server) -> {
          HttpResponse<String> answer = send(server, "DELETE", SECRETS + "/" + accepted.poll(), "");
          assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        });
    Duration back = timeUntil(() -> assertThat(used()).isEqualTo("" + (HARD - GIVEN_BACK)));

    assertThat(createAll("t", 1_000)).hasSize(GIVEN_BACK);
    assertThat(used()).isEqualTo("" + HARD);
    reporter.publishEntry("status of a new quota", first.toMillis() + " ms");
    reporter.publishEntry("usage given back", back.toMillis() + " ms");
  }
}
