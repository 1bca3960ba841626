package dev.keelson.registry.write;

import dev.keelson.api.FieldCause;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.registry.Timestamps;
import dev.keelson.schema.ResourceDefinition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Confines a change to the part of the object that its path may change (source: the update
 * strategies of kube-apiserver's subresources).
 */
final class PartEdits {

  private static final Set<String> DECISIONS = Set.of("Approved", "Denied");
  private static final String EPHEMERAL = "ephemeralContainers";

  private final Timestamps timestamps;

  PartEdits(Timestamps timestamps) {
    this.timestamps = timestamps;
  }

  /** What {@code wanted} becomes where everything outside the part stays as it is. */
  ApiObject confine(
      ObjectPart part, ResourceDefinition definition, ApiObject wanted, ApiObject current) {
    boolean request = definition.kind().equals("CertificateSigningRequest");
    return switch (part) {
      case STATUS -> {
        ApiObject next = status(definition, wanted, current);
        yield request ? withDecisionsOf(next, current) : next;
      }
      case MAIN -> {
        ApiObject next = keepStatus(definition, wanted, current);
        yield definition.behaviour().resetFields().specOnUpdate()
            ? copy("spec", current, next)
            : next;
      }
      case FINALIZERS, SCALE, ROLLBACK -> keepStatus(definition, wanted, current);
      case BINDING -> wanted;
      case EPHEMERAL_CONTAINERS -> withSpecOf(wanted, current, EPHEMERAL);
      case RESIZE -> resized(wanted, current);
      case APPROVAL -> approved(wanted, current);
    };
  }

  /** Adds what a change of a part breaks, where no other rule has said so of the same field. */
  static void check(ObjectPart part, ApiObject next, ApiObject current, List<FieldCause> causes) {
    String field = "spec." + EPHEMERAL;
    if (part != ObjectPart.EPHEMERAL_CONTAINERS
        || causes.stream().anyMatch(cause -> cause.field().equals(field))) {
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

  private static ApiObject keepStatus(
      ResourceDefinition definition, ApiObject wanted, ApiObject current) {
    return definition.subresources().containsKey("status")
        ? copy("status", current, wanted)
        : wanted;
  }

  /** {@code to} with the top-level field as {@code from} has it. */
  private static ApiObject copy(String key, ApiObject from, ApiObject to) {
    Node value = from.root().get(key);
    return value == null ? to.without(key) : to.with(key, value);
  }

  private static ApiObject status(
      ResourceDefinition definition, ApiObject wanted, ApiObject current) {
    return copy("status", wanted, current)
        .withMeta(keptForStatus(definition, wanted.meta(), current.meta()));
  }

  /** A status update may change metadata, but for some fields of some kinds. */
  private static ObjectMeta keptForStatus(
      ResourceDefinition definition, ObjectMeta meta, ObjectMeta current) {
    ObjectMeta kept = meta;
    for (String field : definition.behaviour().resetFields().statusMetadata()) {
      Node old = current.node().get(field);
      kept = old == null ? kept.without(field) : kept.with(field, old);
    }
    return kept;
  }

  /** The current object with one field of the spec, and what names the object, from the request. */
  private static ApiObject withSpecOf(ApiObject wanted, ApiObject current, String field) {
    Node value = wanted.root().map("spec").get(field);
    MapNode spec = current.root().map("spec");
    return current
        .with("spec", value == null ? spec.without(field) : spec.with(field, value))
        .withMeta(named(wanted.meta(), current.meta()));
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

  private static ApiObject resized(ApiObject wanted, ApiObject current) {
    MapNode spec = current.root().map("spec");
    MapNode next = wanted.root().map("spec");
    for (String list : List.of("containers", "initContainers")) {
      if (spec.has(list)) {
        spec = spec.with(list, resized(next.items(list), spec.items(list)));
      }
    }
    Node resources = next.get("resources");
    spec = resources == null ? spec.without("resources") : spec.with("resources", resources);
    return current.with("spec", spec).withMeta(named(wanted.meta(), current.meta()));
  }

  private static Node resized(List<Node> wanted, List<Node> current) {
    List<Node> containers = new ArrayList<>();
    for (Node item : current) {
      MapNode container = item instanceof MapNode map ? map : MapNode.EMPTY;
      @Nullable MapNode request = container(wanted, container.text("name"));
      MapNode next = container;
      for (String field : List.of("resources", "resizePolicy")) {
        if (request != null) {
          Node value = request.get(field);
          next = value == null ? next.without(field) : next.with(field, value);
        }
      }
      containers.add(next);
    }
    return new Node.Items(containers);
  }

  private static @Nullable MapNode container(List<Node> containers, String name) {
    for (Node item : containers) {
      if (item instanceof MapNode map && map.text("name").equals(name)) {
        return map;
      }
    }
    return null;
  }

  private ApiObject approved(ApiObject wanted, ApiObject current) {
    MapNode status = current.root().map("status");
    List<Node> conditions = wanted.root().map("status").items("conditions");
    status =
        conditions.isEmpty()
            ? status.without("conditions")
            : status.with("conditions", dated(conditions, current));
    return current.with("status", status).withMeta(wanted.meta());
  }

  /** The status of a request with its decisions as they were: those have a path of their own. */
  private ApiObject withDecisionsOf(ApiObject next, ApiObject current) {
    List<Node> conditions = new ArrayList<>();
    current.root().map("status").items("conditions").stream()
        .filter(PartEdits::isDecision)
        .forEach(conditions::add);
    next.root().map("status").items("conditions").stream()
        .filter(condition -> !isDecision(condition))
        .forEach(conditions::add);
    if (conditions.isEmpty()) {
      return next;
    }
    return next.with(
        "status", next.root().map("status").with("conditions", dated(conditions, current)));
  }

  private static boolean isDecision(Node condition) {
    return condition instanceof MapNode map && DECISIONS.contains(map.text("type"));
  }

  /** Conditions with the times that the client left out. */
  private Node dated(List<Node> conditions, ApiObject current) {
    List<Node> dated = new ArrayList<>();
    for (Node item : conditions) {
      MapNode condition = item instanceof MapNode map ? map : MapNode.EMPTY;
      if (condition.text("lastUpdateTime").isEmpty()) {
        condition = condition.with("lastUpdateTime", Node.text(timestamps.now()));
      }
      if (condition.text("lastTransitionTime").isEmpty()) {
        condition = condition.with("lastTransitionTime", Node.text(since(condition, current)));
      }
      dated.add(condition);
    }
    return new Node.Items(dated);
  }

  private String since(MapNode condition, ApiObject current) {
    for (Node item : current.root().map("status").items("conditions")) {
      if (item instanceof MapNode old
          && old.text("type").equals(condition.text("type"))
          && old.text("status").equals(condition.text("status"))
          && !old.text("lastTransitionTime").isEmpty()) {
        return old.text("lastTransitionTime");
      }
    }
    return timestamps.now();
  }
}
