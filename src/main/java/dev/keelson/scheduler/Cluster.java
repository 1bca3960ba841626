package dev.keelson.scheduler;

import dev.keelson.controller.fit.Resources;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The nodes with their pods. Pods of nodes that are not known (yet) are kept for them. Confined to
 * the lock of the scheduler.
 */
final class Cluster {

  /** In place of a node that is not known. */
  private static final NodeView EMPTY =
      new NodeView("", Map.of(), List.of(), true, Resources.NONE, 0, Map.of());

  private final Map<String, Room> rooms = new LinkedHashMap<>();
  private final Map<String, Room> strangers = new HashMap<>();

  /** The placed pods with terms about other pods, and all placed pods, by uid. */
  private final Map<String, PodView> withTerms = new LinkedHashMap<>();

  private final Map<String, PodView> placed = new HashMap<>();

  /** How many nodes have an image, by its name. */
  private final Map<String, Integer> images = new HashMap<>();

  Collection<Room> rooms() {
    return rooms.values();
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
    for (String image : node.images().keySet()) {
      int now = images.getOrDefault(image, 0) + change;
      if (now == 0) {
        images.remove(image);
      } else {
        images.put(image, now);
      }
    }
  }

  void put(NodeView node) {
    Room before = rooms.get(node.name());
    if (before != null) {
      count(before.node(), -1);
    }
    count(node, 1);
    Room room = before == null ? strangers.remove(node.name()) : before;
    rooms.put(node.name(), room == null ? new Room(node) : Room.of(node, room));
  }

  void removeNode(String name) {
    Room room = rooms.remove(name);
    if (room != null) {
      count(room.node(), -1);
    }
    if (room != null && !room.pods().isEmpty()) {
      strangers.put(name, room);
    }
  }

  /** Puts a pod on its node, in place of its state before. */
  void put(PodView pod) {
    remove(pod.uid());
    placed.put(pod.uid(), pod);
    if (!pod.terms().isEmpty()) {
      withTerms.put(pod.uid(), pod);
    }
    Room room = rooms.get(pod.node());
    if (room == null) {
      room = strangers.computeIfAbsent(pod.node(), name -> new Room(EMPTY));
    }
    room.add(pod);
  }

  /** Takes a pod from its node; nothing if it is on none. */
  void remove(String uid) {
    PodView pod = placed.remove(uid);
    if (pod == null) {
      return;
    }
    withTerms.remove(uid);
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
  @Nullable PodView placed(String uid) {
    return placed.get(uid);
  }
}
