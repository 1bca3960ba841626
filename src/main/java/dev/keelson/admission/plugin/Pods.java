package dev.keelson.admission.plugin;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.ApiException;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** What the steps for pods share. */
final class Pods {

  static final List<String> CONTAINERS = List.of("initContainers", "containers");

  private Pods() {}

  /** Whether a pod itself is written, not one of its subresources. */
  static boolean concerns(AdmissionAttributes call) {
    return is(call, "", "pods") && call.subresource().isEmpty();
  }

  static boolean creates(AdmissionAttributes call) {
    return concerns(call) && call.operation() == Verb.CREATE;
  }

  static boolean is(AdmissionAttributes call, String group, String resource) {
    return call.definition().gvr().group().equals(group)
        && call.definition().gvr().resource().equals(resource);
  }

  static ApiException forbidden(AdmissionAttributes call, String why) {
    return ApiException.forbidden(call.definition().groupResource(), call.name(), why);
  }

  static MapNode spec(ApiObject pod) {
    return pod.root().map("spec");
  }

  /** The spec with every object in the list under {@code field} edited. */
  static MapNode edited(MapNode spec, String field, UnaryOperator<MapNode> edit) {
    List<Node> items = spec.items(field);
    if (items.isEmpty()) {
      return spec;
    }
    List<Node> next = new ArrayList<>(items.size());
    for (Node item : items) {
      next.add(item instanceof MapNode map ? edit.apply(map) : item);
    }
    return spec.with(field, new Node.Items(next));
  }

  /** The struct with {@code item} behind the others in the list under {@code field}. */
  static MapNode appended(MapNode struct, String field, Node item) {
    List<Node> items = new ArrayList<>(struct.items(field));
    items.add(item);
    return struct.with(field, new Node.Items(items));
  }
}
