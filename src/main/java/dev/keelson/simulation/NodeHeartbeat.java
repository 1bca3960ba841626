package dev.keelson.simulation;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.election.LeaderElector;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Registers nodes and renews their Leases, and creates those again that somebody deletes. Confined
 * to one thread.
 */
final class NodeHeartbeat {

  /** As the kubelet: a quarter of the Lease's duration. */
  static final Duration INTERVAL = Duration.ofSeconds(10);

  /** A node that somebody has deleted is there again after a minute. */
  private static final int TURNS = 6;

  static final GroupVersionResource NODES = GroupVersion.CORE_V1.resource("nodes");

  private static final String NAMESPACE = "kube-node-lease";
  private static final int LEASE_SECONDS = 40;
  private static final DateTimeFormatter MICRO_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final ApiClient client;
  private final List<SimulatedNode> nodes;
  private final Map<String, String> capacity;
  private final InstantSource clock;

  /** The registered nodes by name; looked at again at every {@link #TURNS}th beat. */
  private final Map<String, ObjectMeta> registered = new HashMap<>();

  private int turn;

  NodeHeartbeat(
      ApiClient client,
      List<SimulatedNode> nodes,
      Map<String, String> capacity,
      InstantSource clock) {
    this.client = client;
    this.nodes = List.copyOf(nodes);
    this.capacity = Map.copyOf(capacity);
    this.clock = clock;
  }

  /** Tells once that all nodes are well; one that fails does not keep the others from it. */
  void beat() throws InterruptedException {
    if (turn++ % TURNS == 0) {
      registered.clear();
    }
    List<ApiException> failures = new ArrayList<>();
    for (SimulatedNode node : nodes) {
      try {
        ObjectMeta known = registered.get(node.name());
        if (known == null) {
          known = register(node);
          registered.put(node.name(), known);
        }
        renew(node, known);
      } catch (ApiException e) {
        failures.add(e);
      }
    }
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
  }

  private ObjectMeta register(SimulatedNode node) throws InterruptedException {
    Instant now = clock.instant();
    Optional<ApiObject> found = client.get(NODES, "", node.name());
    if (found.isEmpty()) {
      return client.create(NODES, node.object(capacity, now)).meta();
    }
    ApiObject known = found.get();
    if (!ready(known)) {
      // the server was away for longer than a node may be silent
      MapNode status = MapNode.of("conditions", SimulatedNode.conditions(now));
      ApiObject unused =
          client.patch(
              NODES,
              "",
              node.name(),
              "status",
              Patch.STRATEGIC_MERGE,
              MapNode.of("status", status));
    }
    return known.meta();
  }

  private static boolean ready(ApiObject node) {
    return node.root().map("status").maps("conditions").stream()
        .anyMatch(
            condition ->
                condition.text("type").equals("Ready") && condition.text("status").equals("True"));
  }

  private void renew(SimulatedNode node, ObjectMeta owner) throws InterruptedException {
    MapNode spec =
        MapNode.of("holderIdentity", Node.text(node.name()))
            .with("leaseDurationSeconds", new Node.Int(LEASE_SECONDS))
            .with("renewTime", Node.text(MICRO_TIME.format(clock.instant())));
    try {
      ApiObject unused =
          client.patch(
              LeaderElector.RESOURCE,
              NAMESPACE,
              node.name(),
              "",
              Patch.MERGE,
              MapNode.of("spec", spec));
    } catch (ApiException e) {
      if (e.reason() != Reason.NOT_FOUND) {
        throw e;
      }
      ApiObject unused = client.create(LeaderElector.RESOURCE, lease(node, owner, spec));
    }
  }

  private static ApiObject lease(SimulatedNode node, ObjectMeta owner, MapNode spec) {
    MapNode reference =
        MapNode.ofTexts(
            Map.of("apiVersion", "v1", "kind", "Node", "name", node.name(), "uid", owner.uid()));
    MapNode metadata =
        MapNode.of("name", Node.text(node.name()))
            .with("namespace", Node.text(NAMESPACE))
            .with("ownerReferences", new Node.Items(List.of(reference)));
    return new ApiObject(MapNode.of("metadata", metadata).with("spec", spec))
        .withType("coordination.k8s.io/v1", "Lease");
  }
}
