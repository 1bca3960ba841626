package dev.keelson.simulation;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.election.LeaderElector;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.Written;
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
import org.jspecify.annotations.Nullable;

/**
 * Registers nodes and renews their Leases, and creates those again that somebody deletes. A Lease
 * is updated from its last known state, without a read, as the kubelet does. Confined to one
 * thread.
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

  /** The Leases as they were renewed last, by the names of the nodes. */
  private final Map<String, ApiObject> leases = new HashMap<>();

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
      return client.create(NODES, node.object(capacity, now)).object().meta();
    }
    ApiObject known = found.get();
    if (!ready(known)) {
      // the server was away for longer than a node may be silent
      MapNode status = MapNode.of("conditions", SimulatedNode.conditions(now));
      Written unused =
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
    ApiObject known = leases.remove(node.name());
    ApiObject renewed = known == null ? null : updated(known);
    if (renewed == null) {
      renewed = acquired(node, owner);
    }
    leases.put(node.name(), renewed);
  }

  private String now() {
    return MICRO_TIME.format(clock.instant());
  }

  /** The Lease with a new time; null if somebody else has written or deleted it. */
  private @Nullable ApiObject updated(ApiObject lease) throws InterruptedException {
    MapNode spec = lease.root().map("spec").with("renewTime", Node.text(now()));
    try {
      return client.update(LeaderElector.RESOURCE, lease.with("spec", spec)).object();
    } catch (ApiException e) {
      if (e.reason() == Reason.CONFLICT || e.reason() == Reason.NOT_FOUND) {
        return null;
      }
      throw e;
    }
  }

  private ApiObject acquired(SimulatedNode node, ObjectMeta owner) throws InterruptedException {
    MapNode spec =
        MapNode.of("holderIdentity", Node.text(node.name()))
            .with("leaseDurationSeconds", new Node.Int(LEASE_SECONDS))
            .with("renewTime", Node.text(now()));
    try {
      return client
          .patch(
              LeaderElector.RESOURCE,
              NAMESPACE,
              node.name(),
              "",
              Patch.MERGE,
              MapNode.of("spec", spec))
          .object();
    } catch (ApiException e) {
      if (e.reason() != Reason.NOT_FOUND) {
        throw e;
      }
      return client.create(LeaderElector.RESOURCE, lease(node, owner, spec)).object();
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
