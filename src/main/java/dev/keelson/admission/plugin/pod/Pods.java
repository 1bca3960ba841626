package dev.keelson.admission.plugin.pod;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Shared code of the pod plugins. */
final class Pods {

  static final List<String> CONTAINERS = List.of("initContainers", "containers");

  static final GroupResource RESOURCE = new GroupResource("", "pods");

  private Pods() {}

  static boolean isPod(GroupResource resource, String subresource) {
    return subresource.isEmpty() && resource.equals(RESOURCE);
  }

  /**
   * Whether the pod's class of service is BestEffort: no container, nor the pod, has requests or
   * limits of CPU or memory.
   */
  static boolean bestEffort(MapNode spec) {
    return !reserves(spec)
        && CONTAINERS.stream().flatMap(list -> spec.maps(list).stream()).noneMatch(Pods::reserves);
  }

  private static boolean reserves(MapNode holder) {
    MapNode resources = holder.map("resources");
    return Stream.of("requests", "limits")
        .map(resources::map)
        .anyMatch(amounts -> positive(amounts, "cpu") || positive(amounts, "memory"));
  }

  private static boolean positive(MapNode amounts, String resource) {
    return Quantity.tryParse(amounts.text(resource)).filter(each -> each.signum() > 0).isPresent();
  }

  /** Whether the write is of a pod, not of a subresource. */
  static boolean concerns(AdmissionAttributes call) {
    return call.concerns("", "pods") && call.subresource().isEmpty();
  }

  static boolean creates(AdmissionAttributes call) {
    return concerns(call) && call.operation() == Verb.CREATE;
  }

  static MapNode spec(ApiObject pod) {
    return pod.root().map("spec");
  }

  /** Edits every object in the list {@code field} of a spec. */
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

  /** Appends {@code item} to the list {@code field} of a struct. */
  static MapNode appended(MapNode struct, String field, Node item) {
    List<Node> items = new ArrayList<>(struct.items(field));
    items.add(item);
    return struct.with(field, new Node.Items(items));
  }
}
