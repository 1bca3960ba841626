package dev.keelson.scheduler;

import dev.keelson.controller.fit.Resources;
import dev.keelson.value.Uid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The nodes with their pods. Pods of nodes that are not known (yet) are kept for them. Confined to
 * the lock of the scheduler.
 */
final class Cluster {

  /** The label of the zone of a node. */
  static final String ZONE = "topology.kubernetes.io/zone";

  /** In place of a node that is not known. */
  private static final NodeView EMPTY =
      new NodeView("", Map.of(), List.of(), true, Resources.NONE, 0, Map.of());

  private final Map<String, Room> rooms = new HashMap<>();

  /** The nodes in the order in which they came. */
  private final List<Room> order = new ArrayList<>();

  private final Map<String, Room> strangers = new HashMap<>();

  /** The placed pods with terms about other pods, and all placed pods, by uid. */
  private final Map<Uid, PodView> withTerms = new LinkedHashMap<>();

  private final Map<Uid, PodView> placed = new HashMap<>();

  /** How many nodes have an image, by its name. */
  private final Map<String, Integer> images = new HashMap<>();

  /** How many nodes are in a zone; the empty one has those without a label. */
  private final Map<String, Integer> zones = new HashMap<>();

  /** How many pods of a controller, by its uid, each node has; immutable for one node. */
  private final Map<Uid, Map<String, Integer>> owned = new HashMap<>();

  private final Nominations nominations = new Nominations();

  /**
   * The pods for which room is made on a node: until they are placed, the room is theirs, and not
   * that of pods that come meanwhile and are less important (source: kube-scheduler's nominator).
   */
  final class Nominations {

    private final Map<Uid, PodView> pods = new LinkedHashMap<>();

    private Nominations() {}

    /** Keeps the room on a node for a pod; nothing for one that is placed already. */
    void put(PodView pod, String node) {
      if (placed(pod.id()) == null) {
        pods.put(pod.id(), pod.on(node));
      }
    }

    /** Keeps no room for a pod any longer; nothing if none was kept. */
    void remove(Uid id) {
      PodView unused = pods.remove(id);
    }

    /** The pods that have their room before another one: those that are at least as important. */
    List<PodView> before(PodView pod) {
      if (pods.isEmpty()) {
        return List.of();
      }
      List<PodView> before = new ArrayList<>();
      for (PodView other : pods.values()) {
        if (other.priority() >= pod.priority() && !other.id().equals(pod.id())) {
          before.add(other);
        }
      }
      return before;
    }

    /** Keeps the room on a node no longer for pods that are less important; returns them. */
    List<PodView> removeBelow(PodView pod, String node) {
      List<PodView> below = new ArrayList<>();
      for (PodView other : pods.values()) {
        if (other.priority() < pod.priority() && other.node().equals(node)) {
          below.add(other);
        }
      }
      below.forEach(other -> remove(other.id()));
      return below;
    }

    /** Runs a search in the cluster with some of the pods on their nodes. */
    <T> T placing(List<PodView> some, Supplier<T> search) {
      some.forEach(Cluster.this::put);
      try {
        return search.get();
      } finally {
        some.forEach(pod -> Cluster.this.remove(pod.id()));
      }
    }
  }

  /** The pods for which room is made. */
  Nominations nominations() {
    return nominations;
  }

  /** The nodes in the order in which they came; not to be modified. */
  List<Room> rooms() {
    return order;
  }

  /** Whether nodes are in different zones. */
  boolean isZoned() {
    return zones.size() > 1;
  }

  /** How many pods of a controller each node has, by its name; also nodes that are not known. */
  Map<String, Integer> owned(Uid controller) {
    return owned.getOrDefault(controller, Map.of());
  }

  /** The zone of a node; empty if it has none. */
  static String zone(NodeView node) {
    return node.labels().getOrDefault(ZONE, "");
  }

  @Nullable Room room(String node) {
    return rooms.get(node);
  }

  /** The placed pods with affinity or anti-affinity. */
  Collection<PodView> withTerms() {
    return withTerms.values();
  }

  /** How many nodes have an image, by its name. */
  Map<String, Integer> images() {
    return images;
  }

  private void count(NodeView node, int change) {
    node.images().keySet().forEach(image -> add(images, image, change));
    add(zones, zone(node), change);
  }

  private static void add(Map<String, Integer> counts, String key, int change) {
    counts.merge(key, change, (one, other) -> one + other == 0 ? null : one + other);
  }

  /** A change of the number of pods of a controller on a node. */
  private void own(PodView pod, int change) {
    Uid owner = pod.owner();
    if (owner == null) {
      return;
    }
    Map<String, Integer> known = owned.getOrDefault(owner, Map.of());
    Map<String, Integer> nodes = known.size() > 1 ? known : new HashMap<>(known);
    add(nodes, pod.node(), change);
    if (nodes.isEmpty()) {
      owned.remove(owner);
    } else if (nodes != known) {
      owned.put(owner, nodes.size() == 1 ? Map.copyOf(nodes) : nodes);
    }
  }

  void put(NodeView node) {
    Room known = rooms.get(node.name());
    count(node, 1);
    if (known != null) {
      count(known.node(), -1);
      known.replace(node);
      return;
    }
    Room stranger = strangers.remove(node.name());
    Room room = stranger == null ? new Room(node) : stranger;
    room.replace(node);
    rooms.put(node.name(), room);
    order.add(room);
  }

  void removeNode(String name) {
    Room room = rooms.remove(name);
    if (room == null) {
      return;
    }
    count(room.node(), -1);
    order.remove(room);
    if (!room.pods().isEmpty()) {
      strangers.put(name, room);
    }
  }

  /** Puts a pod on its node, in place of its state before. */
  void put(PodView pod) {
    remove(pod.id());
    placed.put(pod.id(), pod);
    own(pod, 1);
    if (!pod.terms().isEmpty()) {
      withTerms.put(pod.id(), pod);
    }
    Room room = rooms.get(pod.node());
    if (room == null) {
      room = strangers.computeIfAbsent(pod.node(), name -> new Room(EMPTY));
    }
    room.add(pod);
  }

  /** Takes a pod from its node; nothing if it is on none. */
  void remove(Uid uid) {
    PodView pod = placed.remove(uid);
    if (pod == null) {
      return;
    }
    withTerms.remove(uid);
    own(pod, -1);
    Room room = rooms.get(pod.node());
    if (room != null) {
      room.remove(uid);
      return;
    }
    Room stranger = strangers.get(pod.node());
    if (stranger != null) {
      stranger.remove(uid);
      if (stranger.pods().isEmpty()) {
        strangers.remove(pod.node());
      }
    }
  }

  /** The pod as it is placed; null if it is not. */
  @Nullable PodView placed(Uid uid) {
    return placed.get(uid);
  }
}
