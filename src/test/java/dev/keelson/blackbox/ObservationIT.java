package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.WebhookServer;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The z-pages, profiles, the log as JSON, and metrics of rare events, of a running server. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(180)
class ObservationIT {

  private static final String STATUS_JSON = "application/json;v=v1beta1;g=config.k8s.io;as=Statusz";

  /** What the webhook takes, in nanoseconds: longer than a request that is not slow. */
  private static final long SLOW = 1_200_000_000L;

  private KeelsonProcess server;
  private RestClient rest;
  private WebhookServer webhook;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    Path tokens =
        Files.writeString(
            directory.resolve("tokens.csv"), "of-eve,eve,9,\"system:monitoring\"\nof-ann,ann,7\n");
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of(
                "--authorization-mode=RBAC",
                "--token-auth-file=" + tokens,
                "--logging-format=json",
                KeelsonProcess.FEW_CONTROLLERS));
    rest = RestClient.administrator(server);
    webhook =
        new WebhookServer(
            "localhost",
            (exchange, body) -> {
              String review = new String(body, StandardCharsets.UTF_8);
              int at = review.indexOf("\"uid\":\"") + 7;
              long until = System.nanoTime() + SLOW;
              while (System.nanoTime() < until) {
                LockSupport.parkNanos(until - System.nanoTime());
              }
              WebhookServer.respond(
                  exchange,
                  200,
                  """
                  {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview",
                   "response":{"uid":"%s","allowed":true}}
                  """
                      .formatted(review.substring(at, review.indexOf('"', at))));
            });
  }

  @AfterAll
  void stop() {
    server.close();
    webhook.close();
  }

  private Response as(String token, String path, String accept) {
    return RestClient.nobody(server)
        .request()
        .header("Authorization", "Bearer " + token)
        .header("Accept", accept)
        .get(path);
  }

  @Test
  void statusz_isTextForPeople_andAnObjectForPrograms() {
    Response text = as("of-eve", "/statusz", "*/*");
    assertThat(text.statusCode()).isEqualTo(200);
    assertThat(text.contentType()).isEqualTo("text/plain; charset=utf-8");
    assertThat(text.asString())
        .startsWith("\nkube-apiserver statusz\nWarning: This endpoint is not meant to be machine")
        .contains(
            "\nStarted: ", "\nUp: 0 hr 0", "\nBinary version: 1.36.", "\nEmulation version: 1.36")
        .containsPattern(
            "Paths: .*/flagz .*/healthz .*/livez /metrics .*/readyz /statusz /version");

    JsonPath page = as("of-eve", "/statusz", STATUS_JSON).jsonPath();
    assertThat(page.getString("kind")).isEqualTo("Statusz");
    assertThat(page.getString("apiVersion")).isEqualTo("config.k8s.io/v1beta1");
    assertThat(page.getInt("uptimeSeconds")).isNotNegative();
    assertThat(page.getList("paths", String.class)).contains("/readyz");
    assertThat(as("of-eve", "/statusz", "application/json").statusCode()).isEqualTo(406);
  }

  @Test
  void flagz_showsEveryFlag() {
    assertThat(as("of-eve", "/flagz", "text/plain").asString())
        .startsWith("\nkube-apiserver flagz\n")
        .contains("\nauthorization-mode=RBAC\n", "\nlogging-format=json\n", "\nv=");
    JsonPath page =
        as("of-eve", "/flagz", "application/json;v=v1alpha1;g=config.k8s.io;as=Flagz").jsonPath();
    assertThat(page.getString("flags.'request-timeout'")).isEqualTo("1m0s");
  }

  @Test
  void pages_areForThoseWhoMay() {
    assertThat(as("of-ann", "/statusz", "*/*").statusCode()).isEqualTo(403);
    assertThat(as("of-ann", "/flagz", "*/*").statusCode()).isEqualTo(403);
    assertThat(as("of-ann", "/debug/pprof/goroutine", "*/*").statusCode()).isEqualTo(403);
    assertThat(rest.get("/").jsonPath().getList("paths", String.class))
        .contains("/statusz", "/flagz")
        .noneMatch(path -> path.startsWith("/debug/"));
  }

  @Test
  void verbosity_isSetWhileTheServerRuns() {
    assertThat(as("of-eve", "/debug/flags/v", "*/*").statusCode()).isEqualTo(403);
    assertThat(rest.get("/debug/flags/v").statusCode()).isEqualTo(406);
    assertThat(rest.get("/debug/flags").asString()).contains("/debug/flags/");
    assertThat(server.log()).doesNotContain("\"v\":4,");

    Response set = rest.request().body("4").put("/debug/flags/v");

    assertThat(set.asString()).isEqualTo("successfully set klog.logging.verbosity to 4\n");
    assertEventually(
        () -> {
          assertThat(rest.get("/api/v1/namespaces/default/pods/absent").statusCode())
              .isEqualTo(404);
          assertThat(server.log()).contains("\"v\":4,");
        });
    assertThat(rest.request().body("0").put("/debug/flags/v").statusCode()).isEqualTo(200);
  }

  @Test
  void metrics_areResetByDelete() {
    String counted = "\napiserver_request_total{code=\"404\",";
    assertThat(rest.get("/api/v1/nodes/absent").statusCode()).isEqualTo(404);
    assertEventually(() -> assertThat(rest.get("/metrics").asString()).contains(counted));
    assertThat(
            RestClient.nobody(server)
                .request()
                .header("Authorization", "Bearer of-eve")
                .delete("/metrics")
                .statusCode())
        .isEqualTo(403);

    Response reset = rest.request().delete("/metrics");

    assertThat(reset.asString()).isEqualTo("metrics reset\n");
    assertThat(rest.request().delete("/metrics/slis").asString()).isEqualTo("metrics reset\n");
    assertThat(rest.get("/metrics").asString()).doesNotContain(counted);
  }

  @Test
  void threadDump_isServed() {
    assertThat(rest.get("/debug/pprof/goroutine").asString()).contains("java.lang.Thread");
    assertThat(rest.get("/debug/pprof/").asString()).contains("jfr?seconds=N");
  }

  @Test
  void recording_isServedByAJvm_andRefusedWithAReasonByAnExecutable() {
    Response recording = rest.get("/debug/pprof/jfr?seconds=1");

    if (KeelsonProcess.isNative()) {
      assertThat(recording.statusCode()).isEqualTo(501);
      assertThat(recording.asString()).contains("Flight Recorder");
    } else {
      assertThat(recording.statusCode()).isEqualTo(200);
      assertThat(new String(recording.asByteArray(), 0, 3, StandardCharsets.US_ASCII))
          .isEqualTo("FLR");
    }
    assertThat(rest.get("/debug/pprof/jfr?seconds=61").statusCode()).isEqualTo(400);
  }

  @Test
  void slowRequest_hasOneLine_inALogOfJson() {
    assertThat(
            rest.post(
                    "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
                    """
                    {"apiVersion":"admissionregistration.k8s.io/v1",
                     "kind":"ValidatingWebhookConfiguration","metadata":{"name":"slow"},
                     "webhooks":[{"name":"slow.example.com","admissionReviewVersions":["v1"],
                       "sideEffects":"None","clientConfig":{"url":"%s","caBundle":"%s"},
                       "rules":[{"apiGroups":[""],"apiVersions":["v1"],
                         "operations":["CREATE"],"resources":["configmaps"]}]}]}
                    """
                        .formatted(
                            webhook.url(),
                            Base64.getEncoder()
                                .encodeToString(webhook.pem().getBytes(StandardCharsets.UTF_8))))
                .statusCode())
        .isEqualTo(201);
    assertThat(
            rest.post("/api/v1/namespaces/default/configmaps", "{\"metadata\":{\"name\":\"slow\"}}")
                .statusCode())
        .isEqualTo(201);

    assertEventually(() -> assertThat(server.log()).contains("\"msg\":\"slow-request\""));
    List<String> lines =
        server
            .log()
            .lines()
            .filter(line -> line.contains("\"msg\":\"slow-request\""))
            .filter(line -> line.contains("/configmaps"))
            .toList();
    assertThat(lines).hasSize(1);
    JsonPath line = JsonPath.from(lines.getFirst());
    assertThat(line.getDouble("ts")).isPositive();
    assertThat(line.getInt("v")).isZero();
    assertThat(line.getString("status")).isEqualTo("201");
    assertThat(line.getString("'validating-webhook'")).endsWith("ms");
    assertThat(rest.get("/metrics").asString())
        .containsPattern(
            "rest_client_requests_total\\{code=\"200\",host=\"127.0.0.1:%d\",method=\"POST\"} [1-9]"
                .formatted(webhook.port()))
        .contains("rest_client_request_duration_seconds_bucket{host=\"127.0.0.1:")
        .contains("rest_client_request_size_bytes_count{host=\"127.0.0.1:")
        .contains("rest_client_response_size_bytes_count{host=\"127.0.0.1:");
    // and every line of the log is an object
    assertThat(server.log().lines())
        .filteredOn(text -> text.contains("event=") || text.contains(" INFO "))
        .isEmpty();
  }

  @Test
  void brokenHandshake_isCounted() throws IOException {
    try (Socket plain = new Socket(server.address().getHost(), server.address().getPort())) {
      plain.getOutputStream().write("this is no TLS\n\n".getBytes(StandardCharsets.US_ASCII));
      plain.getOutputStream().flush();
      plain.getInputStream().readAllBytes();
    }

    assertEventually(
        () ->
            assertThat(rest.get("/metrics").asString())
                .containsPattern("(?m)^apiserver_tls_handshake_errors_total [1-9]"));
  }

  @Test
  void deprecatedVersion_isNamed() {
    rest.get("/api/v1/componentstatuses");
    rest.get("/api/v1/namespaces/default/endpoints");

    assertThat(rest.get("/metrics").asString())
        .contains(
            "apiserver_requested_deprecated_apis{group=\"\",removed_release=\"\","
                + "resource=\"componentstatuses\",subresource=\"\",version=\"v1\"} 1");
  }
}
