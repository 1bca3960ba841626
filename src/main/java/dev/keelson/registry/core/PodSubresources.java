package dev.keelson.registry.core;

import dev.keelson.api.FieldCause;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Updates through the subresources {@code ephemeralcontainers} and {@code resize} of pods (source:
 * kube-apiserver's {@code podEphemeralContainersStrategy} and {@code podResizeStrategy}).
 */
final class PodSubresources {

  private static final String EPHEMERAL = "ephemeralContainers";

  private PodSubresources() {}

  /** The current pod with the ephemeral containers of {@code wanted}. */
  static ApiObject ephemeralContainers(ApiObject wanted, ApiObject current) {
    Node value = wanted.root().map("spec").get(EPHEMERAL);
    MapNode spec = current.root().map("spec");
    return current
        .with("spec", value == null ? spec.without(EPHEMERAL) : spec.with(EPHEMERAL, value))
        .withMeta(named(wanted.meta(), current.meta()));
  }

  /**
   * Adds a cause for each ephemeral container that is removed or changed, unless {@code causes} has
   * one for the field.
   */
  static void checkEphemeralContainers(ApiObject next, ApiObject current, List<FieldCause> causes) {
    String field = "spec." + EPHEMERAL;
    if (causes.stream().anyMatch(cause -> cause.field().equals(field))) {
      return;
    }
    Map<String, Node> wanted = new HashMap<>();
    for (Node container : next.root().map("spec").items(EPHEMERAL)) {
      if (container instanceof MapNode map) {
        wanted.put(map.text("name"), map);
      }
    }
    for (Node container : current.root().map("spec").items(EPHEMERAL)) {
      String name = container instanceof MapNode map ? map.text("name") : "";
      Node kept = wanted.get(name);
      if (kept == null) {
        causes.add(
            FieldCause.forbidden(
                field, "existing ephemeral containers \"" + name + "\" may not be removed\n"));
      } else if (!kept.equals(container)) {
        causes.add(
            FieldCause.forbidden(
                field, "existing ephemeral containers \"" + name + "\" may not be changed\n"));
      }
    }
  }

  /**
   * The current pod with the resources of {@code wanted}. Containers that were added, removed,
   * renamed or moved stay as they were sent, so that validation rejects them (source: {@code
   * dropNonResizeUpdates} of kube-apiserver).
   */
  static ApiObject resized(ApiObject wanted, ApiObject current) {
    ObjectMeta meta = named(wanted.meta(), current.meta());
    MapNode spec = current.root().map("spec");
    MapNode next = wanted.root().map("spec");
    for (String list : List.of("containers", "initContainers")) {
      if (next.items(list).size() != spec.items(list).size()) {
        return wanted.withMeta(meta);
      }
    }
    for (String list : List.of("containers", "initContainers")) {
      if (spec.has(list)) {
        spec = spec.with(list, resized(next.items(list), spec.items(list)));
      }
    }
    Node resources = next.get("resources");
    spec = resources == null ? spec.without("resources") : spec.with("resources", resources);
    return current.with("spec", spec).withMeta(meta);
  }

  private static Node resized(List<Node> wanted, List<Node> current) {
    List<Node> containers = new ArrayList<>();
    for (int i = 0; i < current.size(); i++) {
      MapNode next = container(current.get(i));
      MapNode request = container(wanted.get(i));
      if (!request.text("name").equals(next.text("name"))) {
        return new Node.Items(wanted);
      }
      for (String field : List.of("resources", "resizePolicy")) {
        Node value = request.get(field);
        next = value == null ? next.without(field) : next.with(field, value);
      }
      containers.add(next);
    }
    return new Node.Items(containers);
  }

  private static MapNode container(Node item) {
    return item instanceof MapNode map ? map : MapNode.EMPTY;
  }

  /** The current metadata, with what the metadata rules and field management have to see. */
  private static ObjectMeta named(ObjectMeta wanted, ObjectMeta current) {
    ObjectMeta meta = current;
    for (String field : List.of("name", "namespace", "uid", "managedFields")) {
      Node value = wanted.node().get(field);
      meta = value == null ? meta.without(field) : meta.with(field, value);
    }
    return meta;
  }
}
