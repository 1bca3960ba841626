package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpExchange;
import dev.keelson.testing.IdentityProvider;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RawConnection;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.Signals;
import io.restassured.response.Response;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server with a log and a webhook, under the policy that docs/audit.md recommends. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(300)
class AuditIT {

  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

  /** Events that the buffer of the log holds in the tests of kills, and those of one write. */
  private static final int BUFFER = 200;

  private static final int BATCH = 20;

  /** How often a server is killed in each mode; the property sets more for a long run. */
  private static final int KILLS = Integer.getInteger("keelson.audit.kills", 3);

  private final ConcurrentLinkedQueue<String> posted = new ConcurrentLinkedQueue<>();
  private IdentityProvider webhook;
  private Path policy;
  private Path log;
  private KeelsonProcess server;
  private RestClient admin;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    webhook = new IdentityProvider();
    webhook.path("/audit", this::take);
    policy = directory.resolve("policy.yaml");
    Files.writeString(policy, recommended());
    log = directory.resolve("log/audit.log");
    Path kubeconfig =
        Files.writeString(
            directory.resolve("webhook.yaml"),
            webhook.kubeconfig("/audit", webhook.certificatePem()));
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of(
                "--audit-policy-file=" + policy,
                "--audit-log-path=" + log,
                "--audit-webhook-config-file=" + kubeconfig,
                "--audit-webhook-batch-max-wait=100ms"));
    admin = RestClient.administrator(server);
  }

  @AfterAll
  void stop() {
    server.close();
    webhook.close();
  }

  @Test
  void write_isInTheLogBeforeItIsAnswered_andInTheWebhookSoon() {
    Response answer =
        admin
            .json(configMap("seen"))
            .header("Audit-ID", "my-own-id")
            .header("User-Agent", "it/1")
            .header("X-Forwarded-For", "203.0.113.7, nonsense")
            .post(CONFIG_MAPS + "?fieldManager=it&fieldValidation=Strict");

    assertThat(answer.statusCode()).isEqualTo(201);
    assertThat(answer.header("Audit-Id")).isEqualTo("my-own-id");
    JsonObject event = only(events("my-own-id"));
    assertThat(event.get("kind").getAsString()).isEqualTo("Event");
    assertThat(event.get("apiVersion").getAsString()).isEqualTo("audit.k8s.io/v1");
    assertThat(event.get("level").getAsString()).isEqualTo("Metadata");
    assertThat(event.get("stage").getAsString()).isEqualTo("ResponseComplete");
    assertThat(event.get("requestURI").getAsString())
        .isEqualTo(CONFIG_MAPS + "?fieldManager=it&fieldValidation=Strict");
    assertThat(event.get("verb").getAsString()).isEqualTo("create");
    assertThat(event.getAsJsonObject("user").get("username").getAsString()).isNotEmpty();
    assertThat(event.getAsJsonArray("sourceIPs").toString())
        .isEqualTo("[\"203.0.113.7\",\"127.0.0.1\"]");
    assertThat(event.get("userAgent").getAsString()).isEqualTo("it/1");
    assertThat(event.getAsJsonObject("objectRef").toString())
        .isEqualTo(
            "{\"resource\":\"configmaps\",\"namespace\":\"default\",\"name\":\"seen\","
                + "\"apiVersion\":\"v1\"}");
    assertThat(event.getAsJsonObject("responseStatus").toString())
        .isEqualTo("{\"metadata\":{},\"code\":201}");
    assertThat(event.getAsJsonObject("annotations").get("authorization.k8s.io/decision"))
        .hasToString("\"allow\"");
    assertThat(event.has("requestObject")).isFalse();
    assertEventually(() -> assertThat(posted).anyMatch(list -> list.contains("\"my-own-id\"")));
    assertThat(posted).allMatch(list -> list.startsWith("{\"kind\":\"EventList\","));
  }

  @Test
  void bodies_areRecordedWhereThePolicySaysSo() {
    admin
        .json("{\"metadata\":{\"name\":\"quota\"},\n \"spec\":{\"hard\":{\"pods\":\"4\"}}}")
        .header("Audit-ID", "with-bodies")
        .post("/api/v1/namespaces/default/resourcequotas");

    JsonObject event = only(events("with-bodies"));
    assertThat(event.get("level").getAsString()).isEqualTo("RequestResponse");
    assertThat(event.getAsJsonObject("requestObject").getAsJsonObject("spec"))
        .hasToString("{\"hard\":{\"pods\":\"4\"}}");
    JsonObject response = event.getAsJsonObject("responseObject");
    assertThat(response.getAsJsonObject("metadata").get("uid").getAsString()).isNotEmpty();
    assertThat(response.getAsJsonObject("metadata").has("managedFields")).isFalse();
  }

  @Test
  void refusals_haveTheirStatus() {
    admin.request().header("Audit-ID", "missing").get(CONFIG_MAPS + "/none");
    RestClient.nobody(server)
        .request()
        .header("Audit-ID", "bad-token")
        .header("Authorization", "Bearer wrong")
        .get(CONFIG_MAPS);
    admin
        .request()
        .header("Audit-ID", "acting")
        .header("Impersonate-User", "jane")
        .get(CONFIG_MAPS);
    admin.request().header("Audit-ID", "bad-timeout").get(CONFIG_MAPS + "?timeout=soon");
    RawConnection.Response unused =
        RawConnection.ask(
            server.address(),
            server.kubeconfig().asUser(),
            "",
            "POST " + CONFIG_MAPS + " HTTP/1.1",
            "Host: localhost",
            "Audit-ID: too-large",
            "Content-Type: application/json",
            "Content-Length: 3145729");

    assertThat(only(events("missing")).getAsJsonObject("responseStatus").toString())
        .contains("\"status\":\"Failure\"", "\"reason\":\"NotFound\"", "\"code\":404");
    JsonObject unauthorized = only(events("bad-token"));
    assertThat(unauthorized.get("stage").getAsString()).isEqualTo("ResponseStarted");
    assertThat(unauthorized.getAsJsonObject("user").size()).isZero();
    assertThat(unauthorized.getAsJsonObject("responseStatus").get("code").getAsInt())
        .isEqualTo(401);
    JsonObject invalid = only(events("bad-timeout"));
    assertThat(invalid.get("stage").getAsString()).isEqualTo("ResponseStarted");
    assertThat(invalid.getAsJsonObject("responseStatus").get("code").getAsInt()).isEqualTo(400);
    JsonObject large = only(events("too-large"));
    assertThat(large.get("stage").getAsString()).isEqualTo("ResponseComplete");
    assertThat(large.getAsJsonObject("responseStatus").get("code").getAsInt()).isEqualTo(413);
    JsonObject acting = only(events("acting"));
    assertThat(acting.getAsJsonObject("impersonatedUser").get("username").getAsString())
        .isEqualTo("jane");
  }

  @Test
  void watch_isRecordedWhenItBeginsAndWhenItEnds() {
    admin
        .request()
        .header("Audit-ID", "a-watch")
        .get("/api/v1/namespaces?watch=true&timeoutSeconds=1");

    assertEventually(
        () ->
            assertThat(events("a-watch"))
                .extracting(event -> event.get("stage").getAsString())
                .containsExactly("ResponseStarted", "ResponseComplete"));
  }

  @Test
  void healthChecks_areNotRecorded() {
    admin.request().header("Audit-ID", "health").get("/readyz");
    admin.request().header("Audit-ID", "after-health").get(CONFIG_MAPS + "/none");

    assertThat(events("after-health")).hasSize(1);
    assertThat(events("health")).isEmpty();
  }

  @Test
  void policy_isReadAgain_andAWrongOneKeepsTheOld() throws IOException {
    Files.writeString(
        policy,
        recommended()
            .replaceFirst(
                "rules:\n", "rules:\n- level: None\n  users: [nobody-at-all]\n- level: Full\n"));
    assertEventually(
        () ->
            assertThat(metrics())
                .containsPattern(
                    "keelson_file_reloads_total\\{flag=\"--audit-policy-file\",status=\"failure\"\\}"
                        + " [1-9]"));
    admin.request().header("Audit-ID", "still-there").get(CONFIG_MAPS + "/none");
    assertThat(events("still-there")).hasSize(1);

    Files.writeString(
        policy,
        recommended()
            .replaceFirst(
                "rules:\n",
                "rules:\n"
                    + "- level: None\n"
                    + "  resources:\n"
                    + "  - {group: \"\", resources: [endpoints]}\n"));
    assertEventually(
        () -> {
          String id = "quiet-" + System.nanoTime();
          admin.request().header("Audit-ID", id).get("/api/v1/namespaces/default/endpoints");
          assertThat(events(id)).isEmpty();
        });
    assertThat(metrics())
        .contains(
            "apiserver_audit_event_total ",
            "apiserver_audit_level_total{level=\"Metadata\"}",
            "apiserver_audit_requests_rejected_total ");
  }

  @Test
  void serverWithoutAudit_loadsNoClassOfIt(@TempDir Path directory) throws IOException {
    Assumptions.assumeFalse(
        KeelsonProcess.isNative(), "a native executable does not log what it loads");
    Path loaded = directory.resolve("loaded.txt");
    String before = System.getProperty("keelson.java.options");
    System.setProperty("keelson.java.options", "-Xmx512m " + KeelsonProcess.loggingClasses(loaded));
    try (KeelsonProcess plain = KeelsonProcess.start(directory.resolve("data"), List.of("--v=0"))) {
      RestClient client = RestClient.administrator(plain);
      assertThat(client.post(CONFIG_MAPS, configMap("plain")).statusCode()).isEqualTo(201);
      assertThat(client.get(CONFIG_MAPS + "/plain").statusCode()).isEqualTo(200);
    } finally {
      if (before == null) {
        System.clearProperty("keelson.java.options");
      } else {
        System.setProperty("keelson.java.options", before);
      }
    }
    assertThat(text(loaded)).contains(" dev.keelson.http.filter.FilterOrder ");
    assertThat(text(loaded).lines())
        .noneMatch(
            line ->
                line.contains(" dev.keelson.audit.")
                    // the ends of bodies and old versions are measured without audit as well
                    || (line.contains(" dev.keelson.http.audit.")
                        && !line.contains(" dev.keelson.http.audit.Ending")
                        && !line.contains(" dev.keelson.http.audit.BodyEnd ")
                        && !line.contains(" dev.keelson.http.audit.Deprecation "))
                    || line.contains(" org.hibernate.")
                    || line.contains(" io.opentelemetry.")
                    || line.contains(" dev.keelson.server.tracing.Tracing ")
                    || line.contains(" org.flywaydb.")
                    || line.contains(" org.postgresql.")
                    // the configuration of Quarkus has this enumeration, and no more of it
                    || (line.contains(" io.vertx.pgclient.")
                        && !line.contains(" io.vertx.pgclient.SslMode ")));
  }

  @Test
  void strictMode_answersNothingThatItCannotRecord(@TempDir Path directory) throws IOException {
    Path full = Files.createSymbolicLink(directory.resolve("audit.log"), Path.of("/dev/full"));
    try (KeelsonProcess strict =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of("--audit-log-path=" + full, "--audit-log-mode=blocking-strict"))) {
      RestClient client = RestClient.administrator(strict);

      Response answer = client.post(CONFIG_MAPS, configMap("never"));

      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(answer.jsonPath().getString("kind")).isEqualTo("Status");
      assertThat(answer.jsonPath().getString("message"))
          .isEqualTo("Internal error occurred: failed to store audit event");
      Files.delete(full);
      Files.createFile(full);
      assertEventually(
          () ->
              assertThat(client.get(CONFIG_MAPS + "/never").statusCode())
                  .as("the write that was refused did not take place")
                  .isEqualTo(404));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"batch", "blocking"})
  void fullFileSystem_stopsNothingElse_andIsUsedAgainWhenThereIsRoom(
      String mode, @TempDir Path directory) throws IOException {
    Path full = Files.createSymbolicLink(directory.resolve("audit.log"), Path.of("/dev/full"));
    try (KeelsonProcess server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of(
                "--audit-log-path=" + full,
                "--audit-log-mode=" + mode,
                "--audit-log-batch-max-wait=10ms"))) {
      RestClient client = RestClient.administrator(server);

      assertThat(client.post(CONFIG_MAPS, configMap("unrecorded")).statusCode()).isEqualTo(201);
      assertEventually(
          () ->
              assertThat(client.get("/metrics").asString())
                  .containsPattern("apiserver_audit_error_total\\{plugin=\"log\"\\} [1-9]"));
      Files.delete(full);
      Files.createFile(full);

      assertEventually(
          () -> {
            assertThat(client.get(CONFIG_MAPS + "/unrecorded").statusCode()).isEqualTo(200);
            assertThat(text(full)).contains("/configmaps/unrecorded");
          });
    }
  }

  @Test
  void hangUp_opensTheLogAgain(@TempDir Path directory) throws IOException {
    Signals.assumeHangUpArrives();
    Path file = directory.resolve("audit.log");
    Path moved = directory.resolve("audit.log.1");
    try (KeelsonProcess server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of("--audit-log-path=" + file, "--audit-log-mode=blocking"))) {
      RestClient client = RestClient.administrator(server);
      assertThat(client.post(CONFIG_MAPS, configMap("before")).statusCode()).isEqualTo(201);
      Files.move(file, moved);

      server.hangUp();

      assertEventually(
          () -> {
            assertThat(client.get(CONFIG_MAPS + "/before").statusCode()).isEqualTo(200);
            assertThat(file).exists();
          });
      assertThat(server.log()).contains("event=audit-log-reopened path=" + file);
      assertThat(client.post(CONFIG_MAPS, configMap("after")).statusCode()).isEqualTo(201);
      assertThat(text(file)).contains("\"name\":\"after\"");
      assertThat(text(moved)).contains("\"name\":\"before\"").doesNotContain("\"name\":\"after\"");
    }
  }

  // each step has its own limit; a thousand kills take more than the limit of the class
  @Timeout(value = 5, unit = TimeUnit.HOURS)
  @ParameterizedTest
  @ValueSource(strings = {"batch", "blocking", "blocking-strict"})
  void killedServer_leavesWholeLines_andInBlockingModesEveryAnsweredWrite(
      String mode, @TempDir Path directory) throws InterruptedException, IOException {
    Path file = directory.resolve("audit.log");
    boolean batch = mode.equals("batch");
    List<String> flags =
        List.of(
            "--audit-log-path=" + file,
            "--audit-log-mode=" + mode,
            "--audit-log-batch-buffer-size=" + BUFFER,
            "--audit-log-batch-max-size=" + BATCH,
            "--audit-log-batch-max-wait=1s");
    // in batch mode so many that a log without its buffers would miss more
    int writes = batch ? 2 * (BUFFER + BATCH) : 15;
    // a round of batch mode writes thirty times as much
    int kills = batch ? Math.min(KILLS, 100) : KILLS;
    try (KeelsonProcess killed = KeelsonProcess.start(directory.resolve("data"), flags)) {
      Set<String> answered = ConcurrentHashMap.newKeySet();
      for (int round = 0; round < kills; round++) {
        write(killed, round, writes, answered);
        if (round < kills - 1) {
          killed.start();
        }
      }
      assertThat(answered).hasSizeGreaterThan(writes * kills);

      answered.removeAll(recordedWrites(file, kills));
      if (batch) {
        assertThat(answered)
            .as("what the buffer, a batch and the events of four writers held at each kill")
            .hasSizeLessThanOrEqualTo(kills * (BUFFER + BATCH + 8));
      } else {
        assertThat(answered).as("answered and not recorded").isEmpty();
      }
    }
  }

  /** The names of complete requests in a log that lost at most a part of a line at each kill. */
  private static Set<String> recordedWrites(Path file, int kills) throws IOException {
    Set<String> recorded = new HashSet<>();
    int torn = 0;
    // a line at a time: a thousand kills leave gigabytes
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (!line.startsWith("{") || !line.endsWith("}")) {
          torn++;
          continue;
        }
        JsonObject event = JsonParser.parseString(line).getAsJsonObject();
        JsonObject object = event.getAsJsonObject("objectRef");
        if (event.get("stage").getAsString().equals("ResponseComplete")
            && object != null
            && object.has("name")) {
          recorded.add(object.get("name").getAsString());
        }
      }
    }
    assertThat(torn)
        .as("events that a kill has cut off, each on a line of its own")
        .isLessThanOrEqualTo(kills);
    return recorded;
  }

  /** Writes from four threads until the server is killed amid it. */
  private static void write(KeelsonProcess server, int round, int writes, Set<String> answered)
      throws InterruptedException {
    RestClient client = RestClient.administrator(server);
    AtomicBoolean over = new AtomicBoolean();
    int before = answered.size();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int thread = 0; thread < 4; thread++) {
        String prefix = "k" + round + "-" + thread + "-";
        threads.execute(
            () -> {
              for (int i = 0; !over.get(); i++) {
                try {
                  if (client.post(CONFIG_MAPS, configMap(prefix + i)).statusCode() == 201) {
                    answered.add(prefix + i);
                  }
                } catch (RuntimeException | Error e) {
                  // the server is gone
                  return;
                } catch (Exception e) {
                  return;
                }
              }
            });
      }
      assertEventually(() -> assertThat(answered.size()).isGreaterThan(before + writes));
      server.kill();
      over.set(true);
    }
  }

  private @Nullable String take(HttpExchange exchange) {
    try {
      posted.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      return "{}";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The policy of docs/audit.md, which is the first YAML block there. */
  private static String recommended() throws IOException {
    String document = Files.readString(Path.of("docs", "audit.md"));
    int begin = document.indexOf("```yaml\n") + "```yaml\n".length();
    return document.substring(begin, document.indexOf("```", begin));
  }

  private static String configMap(String name) {
    return "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"a\":\"b\"}}";
  }

  private String metrics() {
    return admin.get("/metrics").asString();
  }

  private static JsonObject only(List<JsonObject> events) {
    assertThat(events).hasSize(1);
    return events.getFirst();
  }

  private List<JsonObject> events(String auditId) {
    List<JsonObject> events = new ArrayList<>();
    text(log)
        .lines()
        .filter(line -> line.contains("\"auditID\":\"" + auditId + "\""))
        .forEach(line -> events.add(JsonParser.parseString(line).getAsJsonObject()));
    return events;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
