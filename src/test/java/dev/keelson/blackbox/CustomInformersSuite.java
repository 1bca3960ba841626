package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RawReflector;
import dev.keelson.testing.RawReflector.Start;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.WebhookServer;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Informers of a custom type whose definition changes under a writer: every write is told once, in
 * every version.
 */
@Timeout(180)
abstract class CustomInformersSuite {

  private static final String GROUP = "informers.example.com";
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String DEFINITION = DEFINITIONS + "/clocks." + GROUP;
  private static final int OBJECTS = 7;

  private final KeelsonProcess server;
  private final RestClient client;
  private final List<RawReflector> reflectors = new CopyOnWriteArrayList<>();
  private final WebhookServer webhook =
      new WebhookServer(
          "hook.default.svc",
          (exchange, body) -> WebhookServer.respond(exchange, 200, converted(body)));
  private @Nullable Writer writer;

  CustomInformersSuite(KeelsonProcess server) {
    this.server = server;
    client = RestClient.administrator(server);
  }

  private static String path(String version) {
    return "/apis/%s/%s/namespaces/default/clocks".formatted(GROUP, version);
  }

  private static String version(String name, boolean storage, String fields) {
    return """
    {"name": "%s", "served": true, "storage": %s, "schema": {"openAPIV3Schema": {"type": "object",
     "properties": {"spec": {"type": "object", "properties": {%s}}}}}}\
    """
        .formatted(name, storage, fields);
  }

  private static final String COUNT = "\"count\": {\"type\": \"integer\"}";
  private static final String NUMBER = "\"number\": {\"type\": \"integer\"}";

  private static String definition(String... versions) {
    return """
    {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
     "metadata": {"name": "clocks.%1$s"},
     "spec": {"group": "%1$s", "scope": "Namespaced",
      "names": {"plural": "clocks", "kind": "Clock"}, "versions": [%2$s]}}
    """
        .formatted(GROUP, String.join(",", versions));
  }

  @BeforeEach
  void define() {
    client
        .post(DEFINITIONS, definition(version("v1", true, COUNT), version("v2", false, COUNT)))
        .then()
        .statusCode(201);
    awaitServed("v1");
  }

  private void awaitServed(String version) {
    assertEventually(() -> assertThat(client.get(path(version)).statusCode()).isEqualTo(200));
  }

  @AfterEach
  void remove() throws InterruptedException {
    if (writer != null) {
      writer.end();
    }
    reflectors.forEach(RawReflector::close);
    int unused = client.delete(DEFINITION).statusCode();
    assertEventually(() -> assertThat(client.get(DEFINITION).statusCode()).isEqualTo(404));
    webhook.close();
  }

  /** Raises the counters of the objects in turn, through the first version. */
  private final class Writer implements Runnable {
    private final Thread thread = Thread.ofPlatform().name("writer").unstarted(this);
    private final List<String> refused = new CopyOnWriteArrayList<>();
    private final HttpClient http =
        HttpClient.newBuilder().sslContext(server.kubeconfig().asUser()).build();
    private volatile boolean over;
    private volatile int rounds;

    @Override
    public void run() {
      while (!over) {
        int next = rounds + 1;
        for (int i = 0; i < OBJECTS; i++) {
          HttpRequest request =
              HttpRequest.newBuilder(URI.create(server.address() + path("v1") + "/c" + i))
                  .header("Content-Type", "application/merge-patch+json")
                  .method("PATCH", BodyPublishers.ofString("{\"spec\":{\"count\":" + next + "}}"))
                  .build();
          try {
            HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
              refused.add(answer.statusCode() + " " + answer.body());
            }
          } catch (IOException e) {
            refused.add(e.toString());
          } catch (InterruptedException e) {
            return;
          }
        }
        rounds = next;
      }
    }

    void end() throws InterruptedException {
      over = true;
      thread.join();
      http.shutdownNow();
    }
  }

  private void create() {
    for (int i = 0; i < OBJECTS; i++) {
      client
          .post(
              path("v1"),
              """
              {"apiVersion": "%s/v1", "kind": "Clock", "metadata": {"name": "c%d"},
               "spec": {"count": 0}}
              """
                  .formatted(GROUP, i))
          .then()
          .statusCode(201);
    }
  }

  private Writer write() {
    Writer started = new Writer();
    writer = started;
    started.thread.start();
    return started;
  }

  private RawReflector reflect(String version, String counter, Start start) {
    RawReflector started = RawReflector.start(server, path(version), counter, start);
    reflectors.add(started);
    return started;
  }

  /** Waits until every reflector has been told of writes that are made from now on. */
  private void awaitProgress(Writer writing) {
    int due = writing.rounds + 3;
    for (RawReflector reflector : reflectors) {
      assertEventually(
          () ->
              assertThat(reflector.counters())
                  .as(reflector.toString())
                  .hasSize(OBJECTS)
                  .allSatisfy((_, count) -> assertThat(count).isGreaterThanOrEqualTo(due)));
    }
  }

  private void patchDefinition(String patch) {
    client
        .request()
        .contentType("application/merge-patch+json")
        .body(patch)
        .patch(DEFINITION)
        .then()
        .statusCode(200);
  }

  private static String versions(String... versions) {
    return "{\"spec\": {\"versions\": [" + String.join(",", versions) + "]}}";
  }

  /** After the writer has ended: what the reflectors know is what a list has. */
  private void assertComplete() {
    JsonPath list = client.get(path("v1")).jsonPath();
    Map<String, Long> stored = new TreeMap<>();
    for (int i = 0; i < list.getList("items").size(); i++) {
      String metadata = "items[%d].metadata.".formatted(i);
      stored.put(list.getString(metadata + "name"), list.getLong(metadata + "resourceVersion"));
    }
    for (RawReflector reflector : reflectors) {
      assertEventually(() -> assertThat(reflector.revisions()).isEqualTo(stored));
      assertThat(reflector.faults()).as(reflector.toString()).isEmpty();
    }
  }

  @Test
  void changesOfSchemaAndStorageVersion_loseAndDoubleNothing() throws InterruptedException {
    create();
    RawReflector first = reflect("v1", "count", Start.LIST);
    RawReflector second = reflect("v2", "count", Start.WATCH_LIST);
    Writer writing = write();
    awaitProgress(writing);

    String wider = COUNT + ", \"more\": {\"type\": \"string\"}";
    patchDefinition(versions(version("v1", true, wider), version("v2", false, wider)));
    awaitProgress(writing);

    patchDefinition(versions(version("v1", false, wider), version("v2", true, wider)));
    awaitProgress(writing);

    writing.end();
    assertComplete();
    assertThat(writing.refused).isEmpty();
    assertThat(List.of(first.starts(), second.starts())).containsOnly(1);
  }

  @Test
  void newVersionWithAWebhook_losesAndDoublesNothing() throws InterruptedException {
    create();
    RawReflector first = reflect("v1", "count", Start.WATCH_LIST);
    RawReflector second = reflect("v2", "count", Start.LIST);
    Writer writing = write();
    awaitProgress(writing);

    patchDefinition(
        """
        {"spec": {"conversion": {"strategy": "Webhook", "webhook": {"conversionReviewVersions":
         ["v1"], "clientConfig": {"url": "%s/convert", "caBundle": "%s"}}}, "versions": [%s]}}
        """
            .formatted(
                webhook.url(),
                Base64.getEncoder()
                    .encodeToString(webhook.pem().getBytes(StandardCharsets.US_ASCII)),
                String.join(
                    ",",
                    version("v1", false, COUNT),
                    version("v2", false, COUNT),
                    version("v3", true, NUMBER))));
    awaitServed("v3");
    RawReflector third = reflect("v3", "number", Start.LIST);
    RawReflector fourth = reflect("v3", "number", Start.WATCH_LIST);
    awaitProgress(writing);

    writing.end();
    assertComplete();
    assertThat(writing.refused).isEmpty();
    assertThat(List.of(first.starts(), second.starts(), third.starts(), fourth.starts()))
        .containsOnly(1);
    assertThat(webhook.requests()).isPositive();
  }

  @Test
  void definition_thatIsDeletedAndCreatedAgain_showsItsNewObjects() throws InterruptedException {
    create();
    RawReflector first = reflect("v1", "count", Start.LIST);
    RawReflector second = reflect("v2", "count", Start.WATCH_LIST);
    Writer writing = write();
    awaitProgress(writing);
    writing.end();
    assertThat(writing.refused).isEmpty();

    assertThat(client.delete(DEFINITION).statusCode()).isEqualTo(200);
    for (RawReflector reflector : reflectors) {
      assertEventually(() -> assertThat(reflector.counters()).as(reflector.toString()).isEmpty());
      // the deletions came as events
      assertThat(reflector.starts()).isEqualTo(1);
    }
    assertEventually(() -> assertThat(client.get(DEFINITION).statusCode()).isEqualTo(404));

    define();
    create();
    awaitProgress(write());

    if (writer != null) {
      writer.end();
    }
    assertComplete();
    assertThat(List.of(first.starts(), second.starts())).containsOnly(2);
  }

  @Test
  void revisionThatHasExpired_isAnsweredSo_andAllIsReadAgain() throws InterruptedException {
    create();
    RawReflector first = RawReflector.resume(server, path("v1"), "count", Start.LIST, 1);
    RawReflector second = RawReflector.resume(server, path("v2"), "count", Start.WATCH_LIST, 1);
    reflectors.addAll(List.of(first, second));
    Writer writing = write();
    awaitProgress(writing);

    writing.end();
    assertComplete();
    assertThat(List.of(first.expired(), second.expired())).containsOnly(1);
    assertThat(List.of(first.starts(), second.starts())).containsOnly(1);
  }

  /** Answers a ConversionReview: v3 has the counter under another name. */
  private static String converted(byte[] body) {
    JsonObject review =
        JsonParser.parseString(new String(body, StandardCharsets.UTF_8)).getAsJsonObject();
    JsonObject request = review.getAsJsonObject("request");
    String desired = request.get("desiredAPIVersion").getAsString();
    JsonArray objects = new JsonArray();
    for (JsonElement element : request.getAsJsonArray("objects")) {
      JsonObject object = element.getAsJsonObject();
      JsonObject spec = object.getAsJsonObject("spec");
      String from = spec.has("count") ? "count" : "number";
      JsonElement value = spec.remove(from);
      spec.add(desired.endsWith("/v3") ? "number" : "count", value);
      object.addProperty("apiVersion", desired);
      objects.add(object);
    }
    JsonObject result = new JsonObject();
    result.addProperty("status", "Success");
    JsonObject response = new JsonObject();
    response.add("uid", request.get("uid"));
    response.add("result", result);
    response.add("convertedObjects", objects);
    JsonObject answer = new JsonObject();
    answer.addProperty("apiVersion", "apiextensions.k8s.io/v1");
    answer.addProperty("kind", "ConversionReview");
    answer.add("response", response);
    return answer.toString();
  }
}
