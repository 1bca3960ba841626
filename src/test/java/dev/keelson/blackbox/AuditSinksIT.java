package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.WebhookServer;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Audit back ends that come and go at run time, against webhooks over real HTTPS. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AuditSinksIT {

  private static final String SINKS = "/apis/auditregistration.k8s.io/v1alpha1/auditsinks";
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

  private final Queue<String> posted = new ConcurrentLinkedQueue<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final CountDownLatch hanging = new CountDownLatch(1);
  private WebhookServer good;
  private WebhookServer slow;
  private KeelsonProcess server;
  private RestClient admin;

  @BeforeAll
  void start(@TempDir Path directory) {
    good = new WebhookServer("good", this::take);
    slow =
        new WebhookServer(
            "slow",
            (exchange, _) -> {
              hanging.countDown();
              try {
                end.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              take(exchange, new byte[0]);
            });
    server =
        KeelsonProcess.start(
            directory,
            List.of("--feature-gates=DynamicAuditing=true", "--audit-dynamic-configuration"));
    admin = RestClient.administrator(server);
  }

  private void take(HttpExchange exchange, byte[] body) throws IOException {
    posted.add(new String(body, StandardCharsets.UTF_8));
    WebhookServer.respond(exchange, 200, "text/plain", new byte[0]);
  }

  @AfterAll
  void stop() {
    end.countDown();
    server.close();
    good.close();
    slow.close();
  }

  private static Map<String, Object> sink(String name, WebhookServer webhook, String level) {
    return Map.of(
        "apiVersion",
        "auditregistration.k8s.io/v1alpha1",
        "kind",
        "AuditSink",
        "metadata",
        Map.of("name", name),
        "spec",
        Map.of(
            "policy",
            Map.of("level", level, "stages", List.of("ResponseComplete")),
            "webhook",
            Map.of(
                "clientConfig",
                Map.of(
                    "url",
                    webhook.url() + "/events",
                    "caBundle",
                    Base64.getEncoder()
                        .encodeToString(webhook.pem().getBytes(StandardCharsets.UTF_8))))));
  }

  private void write(String name) {
    Response answer =
        admin
            .json(Map.of("metadata", Map.of("name", name), "data", Map.of("k", "planted")))
            .header("Audit-ID", "id-of-" + name)
            .post(CONFIG_MAPS);
    assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(201);
  }

  @Test
  void sinks_comeAndGo_andASlowOneHoldsNobodyUp() throws InterruptedException {
    write("before");
    admin.post(SINKS, sink("slow", slow, "Metadata")).then().statusCode(201);
    admin.post(SINKS, sink("good", good, "Metadata")).then().statusCode(201);
    write("first");
    // a changed sink is a new one: the old one sends what it has at once
    admin
        .request()
        .contentType("application/merge-patch+json")
        .body("{\"spec\":{\"policy\":{\"level\":\"Request\"}}}")
        .patch(SINKS + "/good")
        .then()
        .statusCode(200);
    admin.delete(SINKS + "/slow").then().statusCode(200);
    write("second");
    hanging.await();

    assertEventually(() -> assertThat(posted).anyMatch(list -> list.contains("id-of-first")));
    String first = posted.stream().filter(list -> list.contains("id-of-first")).findFirst().get();
    assertThat(first)
        .contains("\"kind\":\"EventList\"", "\"stage\":\"ResponseComplete\"")
        .doesNotContain("RequestReceived", "planted", "id-of-before", "id-of-second");

    admin.delete(SINKS + "/good").then().statusCode(200);
    write("third");
    assertEventually(() -> assertThat(posted).anyMatch(list -> list.contains("id-of-second")));
    String second = posted.stream().filter(list -> list.contains("id-of-second")).findFirst().get();
    assertThat(second).contains("\"level\":\"Request\"", "planted").doesNotContain("id-of-third");
  }

  @Test
  void unusableSink_isRefused_withEachCause() {
    Response answer =
        admin.post(
            SINKS,
            Map.of(
                "metadata",
                Map.of("name", "bad"),
                "spec",
                Map.of(
                    "policy",
                    Map.of("level", "All", "stages", List.of("Never")),
                    "webhook",
                    Map.of("throttle", Map.of("qps", 0), "clientConfig", Map.of()))));

    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(answer.jsonPath().getList("details.causes.field"))
        .containsExactlyInAnyOrder(
            "spec.policy.stages[0]",
            "spec.policy.level",
            "spec.webhook.throttle.qps",
            "spec.webhook.clientConfig");
  }

  @Test
  void type_isInDiscovery() {
    assertThat(
            admin
                .get("/apis/auditregistration.k8s.io/v1alpha1")
                .jsonPath()
                .getList("resources.name"))
        .containsExactly("auditsinks");
  }
}
