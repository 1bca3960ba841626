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
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
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
    return sink(name, webhook, "events", level);
  }

  private static Map<String, Object> sink(
      String name, WebhookServer webhook, String path, String level) {
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
                    webhook.url() + "/" + path,
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

  /** The causes of Kubernetes 1.18. */
  @Test
  void unusableSink_isRefused_withEachCause() {
    String policy = "{'level':'Metadata','stages':['Panic']}";
    String client = "{'url':'https://a.example'}";
    assertRefused(
        "{'level':'All','stages':['Never']}",
        "{}",
        "spec.policy.level: Unsupported value: \"All\": supported values: \"Metadata\", \"None\","
            + " \"Request\", \"RequestResponse\"",
        "spec.policy.stages[0]: Invalid value: \"Never\": allowed stages are"
            + " Panic,RequestReceived,ResponseComplete,ResponseStarted",
        "spec.webhook.clientConfig: Required value: exactly one of url or service is required");
    assertRefused("{'level':'Metadata'}", client, "spec.policy.stages: Required value");
    assertRefused("{'level':'All','stages':[]}", client, "spec.policy.stages: Required value");
    assertRefused("{'stages':['Panic']}", client, "spec.policy.level: Required value");
    assertRefused(
        policy,
        "{'url':'https://a.example','service':{'name':'a','namespace':'b'}}",
        "spec.webhook.clientConfig: Required value: exactly one of url or service is required");
    assertRefused(
        policy,
        "{'url':'https://u:p@a.example/x?y=z#f'}",
        "spec.webhook.clientConfig.url: Invalid value: \"u:p\": user information is not permitted"
            + " in the URL",
        "spec.webhook.clientConfig.url: Invalid value: \"f\": fragments are not permitted in the"
            + " URL",
        "spec.webhook.clientConfig.url: Invalid value: \"y=z\": query parameters are not permitted"
            + " in the URL");
    assertRefused(
        policy,
        "{'url':'http://a.example'}",
        "spec.webhook.clientConfig.url: Invalid value: \"http\": 'https' is the only allowed URL"
            + " scheme; desired format: https://host[/path]");
    assertRefused(
        policy,
        "{'service':{'name':'','namespace':'','path':'x/ y','port':70000}}",
        "spec.webhook.clientConfig.service.name: Required value",
        "spec.webhook.clientConfig.service.namespace: Required value",
        "spec.webhook.clientConfig.service.port: Invalid value: 70000: port is not valid: must be"
            + " between 1 and 65535, inclusive",
        "spec.webhook.clientConfig.service.path: Invalid value: \"x/ y\": must start with a '/'",
        "spec.webhook.clientConfig.service.path: Invalid value: \"x/ y\": segment[0] may not be"
            + " empty",
        "spec.webhook.clientConfig.service.path: Invalid value: \"x/ y\": segment[1]:");
    assertRefused(
        policy,
        client + ",'throttle':{'qps':0,'burst':-1}",
        "spec.webhook.throttle.qps: Invalid value: 0: qps must be a positive number",
        "spec.webhook.throttle.burst: Invalid value: -1: burst must be a positive number");
  }

  private void assertRefused(String policy, String client, String... begins) {
    String body =
        "{'metadata':{'name':'bad'},'spec':{'policy':%s,'webhook':{'clientConfig':%s}}}"
            .formatted(policy, client)
            .replace('\'', '"');
    Response answer = admin.post(SINKS, body);
    assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(422);
    List<Map<String, String>> causes = answer.jsonPath().getList("details.causes");
    List<String> found =
        causes.stream().map(each -> each.get("field") + ": " + each.get("message")).toList();
    assertThat(found).as(body).hasSameSizeAs(begins);
    for (String begin : begins) {
      assertThat(found).as(body).anyMatch(cause -> cause.startsWith(begin));
    }
  }

  /** One never answers, one fails, one is deleted while its batch is under way, two share a URL. */
  @Test
  void twentySinks_getEveryEventInOrder_whateverTheOthersDo() {
    Map<String, Queue<List<String>>> batches = new ConcurrentHashMap<>();
    CountDownLatch gate = new CountDownLatch(1);
    CountDownLatch asked = new CountDownLatch(1);
    try (WebhookServer many =
        new WebhookServer(
            "many",
            (exchange, body) -> {
              String path = exchange.getRequestURI().getPath();
              batches
                  .computeIfAbsent(path, _ -> new ConcurrentLinkedQueue<>())
                  .add(numbered(new String(body, StandardCharsets.UTF_8)));
              if (path.equals("/slow")) {
                asked.countDown();
                await(gate);
              } else if (path.equals("/never")) {
                await(end);
              }
              int status = path.equals("/fails") ? 500 : 200;
              WebhookServer.respond(exchange, status, "text/plain", new byte[0]);
            })) {
      List<String> paths = new ArrayList<>(List.of("slow", "never", "fails", "shared", "shared"));
      for (int i = paths.size(); i < 20; i++) {
        paths.add("own-" + i);
      }
      for (int i = 0; i < paths.size(); i++) {
        Response made = admin.post(SINKS, sink("many-" + i, many, paths.get(i), "Metadata"));
        assertThat(made.statusCode()).isEqualTo(201);
      }
      List<String> ids = new ArrayList<>();
      // more than a batch, the rest of which is sent when its sink is deleted
      for (int i = 0; i < 450; i++) {
        String id = "numbered-" + (1000 + i);
        ids.add(id);
        assertThat(admin.request().header("Audit-ID", id).get(CONFIG_MAPS + "/none").statusCode())
            .isEqualTo(404);
      }
      await(asked);
      for (int i = 0; i < paths.size(); i++) {
        assertThat(admin.delete(SINKS + "/many-" + i).statusCode()).isEqualTo(200);
      }
      assertThat(admin.get(CONFIG_MAPS + "/none").statusCode()).isEqualTo(404);
      gate.countDown();

      assertEventually(
          () -> {
            for (String path : paths) {
              List<List<String>> posts = List.copyOf(batches.getOrDefault("/" + path, posted()));
              if (path.equals("never") || path.equals("fails")) {
                continue;
              }
              assertThat(posts).as(path).allSatisfy(post -> assertThat(post).isSorted());
              List<String> all = posts.stream().flatMap(List::stream).sorted().toList();
              assertThat(all.stream().distinct()).as(path).isEqualTo(ids);
              assertThat(all).as(path).hasSize(path.equals("shared") ? 900 : 450);
            }
          });
      assertThat(batches).containsKeys("/never", "/fails");
    }
  }

  private static Queue<List<String>> posted() {
    return new ConcurrentLinkedQueue<>();
  }

  /** The audit ids of the test, as they are in a list of events. */
  private static List<String> numbered(String list) {
    return Pattern.compile("numbered-\\d+")
        .matcher(list)
        .results()
        .map(MatchResult::group)
        .toList();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
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
