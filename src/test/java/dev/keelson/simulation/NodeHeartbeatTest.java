package dev.keelson.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiTransport;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One node against a server in memory. */
final class NodeHeartbeatTest {

  private static final String LEASE =
      "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/simulated-0";
  private static final String NODE = "/api/v1/nodes/simulated-0";

  private final Objects server = new Objects();
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private final NodeHeartbeat heartbeat =
      new NodeHeartbeat(
          new ApiClient(server), List.of(new SimulatedNode(0, "v1")), Map.of(), () -> now);

  private List<String> beat() throws InterruptedException {
    server.requests.clear();
    now = now.plus(NodeHeartbeat.INTERVAL);
    heartbeat.beat();
    return List.copyOf(server.requests);
  }

  private String renewed() {
    return server.stored(LEASE).map("spec").text("renewTime");
  }

  @Test
  void beat_ofNewNode_createsNodeAndLeaseOfIt() throws Exception {
    assertThat(beat())
        .containsExactly(
            "GET " + NODE, "POST /api/v1/nodes", "PATCH " + LEASE, "POST " + parent(LEASE));

    MapNode lease = server.stored(LEASE);
    assertThat(lease.map("spec").text("holderIdentity")).isEqualTo("simulated-0");
    assertThat(new ApiObject(lease).meta().node().maps("ownerReferences").getFirst().text("name"))
        .isEqualTo("simulated-0");
  }

  @Test
  void beat_ofKnownNode_isOneUpdate() throws Exception {
    List<String> unused = beat();

    assertThat(beat()).containsExactly("PUT " + LEASE);

    assertThat(renewed()).isEqualTo("2026-01-01T00:00:20.000000Z");
    assertThat(server.sent.map("metadata").has("managedFields")).isFalse();
  }

  @Test
  void beat_afterAnotherWrite_renewsTheStoredLease() throws Exception {
    List<String> unused = beat();
    server.put(LEASE, server.stored(LEASE).with("extra", Node.text("kept")));

    assertThat(beat()).containsExactly("PUT " + LEASE, "PATCH " + LEASE);

    assertThat(renewed()).isEqualTo("2026-01-01T00:00:20.000000Z");
    assertThat(server.stored(LEASE).text("extra")).isEqualTo("kept");
    assertThat(beat()).containsExactly("PUT " + LEASE);
  }

  @Test
  void beat_afterDeletion_createsTheLeaseAgain() throws Exception {
    List<String> unused = beat();
    server.objects.remove(LEASE);

    assertThat(beat()).containsExactly("PUT " + LEASE, "PATCH " + LEASE, "POST " + parent(LEASE));
  }

  private static String parent(String path) {
    return path.substring(0, path.lastIndexOf('/'));
  }

  /** Objects by their paths, with conditional updates and merge patches of {@code spec}. */
  private static final class Objects implements ApiTransport {

    private final Map<String, MapNode> objects = new HashMap<>();
    private final List<String> requests = new ArrayList<>();
    private MapNode sent = MapNode.EMPTY;
    private int version;

    MapNode stored(String path) {
      return objects.getOrDefault(path, MapNode.EMPTY);
    }

    MapNode put(String path, MapNode object) {
      MapNode metadata =
          object
              .map("metadata")
              .with("resourceVersion", Node.text("" + ++version))
              .with("managedFields", Node.text("large"));
      MapNode stored = object.with("metadata", metadata);
      objects.put(path, stored);
      return stored;
    }

    @Override
    public Answer send(Request request) {
      requests.add(request.method() + " " + request.path());
      sent =
          request.body().length > 0
                  && ObjectReader.untypedJson(request.body()) instanceof MapNode body
              ? body
              : MapNode.EMPTY;
      String path = request.path();
      if (request.method().equals("POST")) {
        return answer(201, put(path + "/" + sent.map("metadata").text("name"), sent));
      }
      MapNode known = objects.get(path);
      if (known == null) {
        return failure(404, "NotFound");
      }
      return switch (request.method()) {
        case "GET" -> answer(200, known);
        case "PUT" ->
            version(known).equals(version(sent))
                ? answer(200, put(path, sent))
                : failure(409, "Conflict");
        case "PATCH" -> answer(200, put(path, known.with("spec", sent.map("spec"))));
        default -> throw new IllegalArgumentException(request.method());
      };
    }

    private static String version(MapNode object) {
      return object.map("metadata").text("resourceVersion");
    }

    private static Answer answer(int status, MapNode body) {
      return new Answer(status, ObjectWriter.json(body));
    }

    private static Answer failure(int status, String reason) {
      String body = "{\"kind\":\"Status\",\"reason\":\"" + reason + "\",\"message\":\"no\"}";
      return new Answer(status, body.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Answer send(Request request, TimeLimit limit) {
      return send(request);
    }

    @Override
    public EventStream watch(Request request) {
      throw new UnsupportedOperationException();
    }
  }
}
