package dev.keelson.controller.storagemigration;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.client.informer.Informer;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiTransport;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.testing.ManualClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The migrator against a scripted server. */
class StorageVersionMigratorTest {

  private static final String MIGRATIONS =
      "/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations";

  private static final String DISCOVERY =
      """
      {'preferredVersion': {'version': 'v2'}, 'versions': [{'version': 'v2'}, {'version': 'v1'}]}
      """;

  private final ManualClock clock = new ManualClock();
  private final Server server = new Server();
  private final ApiClient client = new ApiClient(server);
  private final Informer<Migration> informer = Informer.of(client, Migration.TYPE);
  private final ControllerLoop following =
      ControllerLoop.every("informer", Duration.ofMillis(1), informer::follow);
  private final StorageVersionMigrator migrator =
      new StorageVersionMigrator(client, informer, clock);

  @AfterEach
  void stop() {
    migrator.close();
    following.close();
  }

  private void begin(String resource) throws InterruptedException {
    server.answers.put("GET /apis/example.com", DISCOVERY);
    server.answers.put("GET /apis/example.com/v2", "{'resources': [{'name': 'other'}]}");
    server.answers.put(
        "GET /apis/example.com/v1", "{'resources': [{'name': 'widgets', 'kind': 'Widget'}]}");
    server.events.add(
        event(
            "ADDED",
            """
            {'metadata': {'name': 'm', 'resourceVersion': '7', 'creationTimestamp': '%s'},
             'spec': {'resource': {'group': 'example.com', 'resource': '%s'}}}
            """
                .formatted(clock.instant(), resource)));
    server.events.add(
        event(
            "BOOKMARK",
            "{'metadata': {'resourceVersion': '7', 'annotations':"
                + " {'k8s.io/initial-events-end': 'true'}}}"));
    following.start();
    migrator.start();
  }

  private static byte[] event(String type, String object) {
    return json("{'type': '%s', 'object': %s}".formatted(type, object));
  }

  private static byte[] json(String text) {
    return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  private List<String> conditions() {
    return server.statuses.isEmpty()
        ? List.of()
        : server.statuses.getLast().maps("conditions").stream()
            .map(each -> each.text("type") + "=" + each.text("status") + " " + each.text("message"))
            .toList();
  }

  @Test
  void objects_thatAreNotNewer_areAppliedWithoutFields() throws InterruptedException {
    server.answers.put(
        "GET /apis/example.com/v1/widgets",
        """
        {'kind': 'WidgetList', 'apiVersion': 'example.com/v1', 'metadata': {'resourceVersion': '90'},
         'items': [
           {'metadata': {'name': 'old', 'namespace': 'n', 'uid': 'u1', 'resourceVersion': '9'},
            'spec': {'a': 1}},
           {'metadata': {'name': 'newer', 'namespace': 'n', 'uid': 'u2', 'resourceVersion': '100'}},
           {'metadata': {'name': 'gone', 'namespace': 'n', 'uid': 'u3', 'resourceVersion': '90'}}]}
        """);
    server.answers.put("PATCH /apis/example.com/v1/namespaces/n/widgets/old", "{}");
    server.answers.put(
        "PATCH /apis/example.com/v1/namespaces/n/widgets/gone", status(409, "Conflict"));

    begin("widgets");

    assertEventually(() -> assertThat(conditions()).hasSize(2));
    assertThat(conditions()).containsExactly("Running=False ", "Succeeded=True ");
    assertThat(server.statuses).extracting(each -> each.text("resourceVersion")).containsOnly("90");
    assertThat(server.patches)
        .containsExactly(
            "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"old\","
                + "\"namespace\":\"n\",\"uid\":\"u1\",\"resourceVersion\":\"9\"}}",
            "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"gone\","
                + "\"namespace\":\"n\",\"uid\":\"u3\",\"resourceVersion\":\"90\"}}");
  }

  @Test
  void object_thatIsRefused_failsTheMigration() throws InterruptedException {
    server.answers.put(
        "GET /apis/example.com/v1/widgets",
        "{'metadata': {'resourceVersion': '9'},"
            + " 'items': [{'metadata': {'name': 'w', 'uid': 'u', 'resourceVersion': '3'}}]}");
    server.answers.put("PATCH /apis/example.com/v1/widgets/w", status(422, "Invalid"));

    begin("widgets");

    assertEventually(() -> assertThat(conditions()).hasSize(2));
    assertThat(conditions())
        .containsExactly(
            "Running=False ", "Failed=True migration encountered unhandled error: told so");
  }

  @Test
  void passingFailure_isTriedAgain() throws InterruptedException {
    server.answers.put(
        "GET /apis/example.com/v1/widgets",
        "{'metadata': {'resourceVersion': '9'},"
            + " 'items': [{'metadata': {'name': 'w', 'uid': 'u', 'resourceVersion': '3'}}]}");
    server.answers.put("PATCH /apis/example.com/v1/widgets/w", status(503, "ServiceUnavailable"));

    begin("widgets");
    assertEventually(() -> assertThat(server.patches).hasSizeGreaterThan(2));
    assertThat(conditions()).containsExactly("Running=True ");
    server.answers.put("PATCH /apis/example.com/v1/widgets/w", "{}");

    assertEventually(
        () -> assertThat(conditions()).containsExactly("Running=False ", "Succeeded=True "));
  }

  @Test
  void resource_thatIsMissingForAMinute_failsTheMigration() throws InterruptedException {
    begin("gadgets");
    assertEventually(
        () ->
            assertThat(server.requests.stream().filter("GET /apis/example.com/v1"::equals).count())
                .isGreaterThan(2));
    assertThat(server.statuses).isEmpty();

    clock.advance(Duration.ofMinutes(1));

    assertEventually(() -> assertThat(conditions()).hasSize(1));
    assertThat(conditions()).containsExactly("Failed=True resource does not exist in discovery");
    assertThat(server.statuses.getLast().text("resourceVersion")).isEqualTo("7");
  }

  @ParameterizedTest
  @CsvSource({"9, 10, false", "10, 9, true", "10, 10, false", "99, 98, true"})
  void revisions_areNumbers(String revision, String other, boolean newer) {
    assertThat(StorageVersionMigrator.isNewer(revision, other)).isEqualTo(newer);
  }

  private static String status(int code, String reason) {
    return code
        + ":{'kind': 'Status', 'status': 'Failure', 'code': %d, 'reason': '%s', 'message': 'told so'}"
            .formatted(code, reason);
  }

  /** Answers by method and path, and tells the watch what it stores. */
  private static final class Server implements ApiTransport {

    private final Map<String, String> answers = new ConcurrentHashMap<>();
    private final BlockingQueue<byte[]> events = new LinkedBlockingQueue<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> patches = new CopyOnWriteArrayList<>();
    private final List<MapNode> statuses = new CopyOnWriteArrayList<>();

    @Override
    public Answer send(Request request) {
      String key = request.method() + " " + request.path();
      requests.add(key);
      String body = new String(request.body(), StandardCharsets.UTF_8);
      if (key.equals("PUT " + MIGRATIONS + "/m/status")) {
        statuses.add(((MapNode) ObjectReader.untypedJson(request.body())).map("status"));
        events.add(event("MODIFIED", body));
        return new Answer(200, request.body());
      }
      if (request.method().equals("PATCH")) {
        assertThat(request.query()).containsEntry("fieldManager", StorageVersionMigrator.NAME);
        assertThat(request.contentType()).isEqualTo("application/apply-patch+yaml");
        patches.add(body);
      }
      String answer = answers.getOrDefault(key, status(404, "NotFound"));
      int colon = Character.isDigit(answer.charAt(0)) ? answer.indexOf(':') : -1;
      return new Answer(
          colon < 0 ? 200 : Integer.parseInt(answer.substring(0, colon)),
          json(answer.substring(colon + 1)));
    }

    @Override
    public Answer send(Request request, TimeLimit limit) {
      return send(request);
    }

    @Override
    public EventStream watch(Request request) {
      return new EventStream() {
        @Override
        public byte[] next() throws InterruptedException {
          return events.take();
        }

        @Override
        public void close() {
          // nothing is open
        }
      };
    }
  }
}
