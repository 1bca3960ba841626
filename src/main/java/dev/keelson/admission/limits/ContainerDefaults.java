package dev.keelson.admission.limits;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The default requests and limits of containers in a LimitRange.
 *
 * @param requests by resource
 * @param limits by resource
 */
record ContainerDefaults(NavigableMap<String, Node> requests, NavigableMap<String, Node> limits) {

  /** Says in a pod what was set. */
  private static final String ANNOTATION = "kubernetes.io/limit-ranger";

  static ContainerDefaults of(ApiObject limitRange) {
    ContainerDefaults defaults = new ContainerDefaults(new TreeMap<>(), new TreeMap<>());
    for (MapNode limit : limitRange.root().map("spec").maps("limits")) {
      if (limit.text("type").equals("Container")) {
        limit.map("defaultRequest").forEach(defaults.requests::put);
        limit.map("default").forEach(defaults.limits::put);
      }
    }
    return defaults;
  }

  ApiObject applyTo(ApiObject pod) {
    if (requests.isEmpty() && limits.isEmpty()) {
      return pod;
    }
    List<String> notes = new ArrayList<>();
    MapNode spec = pod.root().map("spec");
    spec = withDefaults(spec, "containers", "container", notes);
    spec = withDefaults(spec, "initContainers", "init container", notes);
    if (notes.isEmpty()) {
      return pod;
    }
    String note = "LimitRanger plugin set: " + String.join("; ", notes);
    MapNode annotations = pod.meta().node().map("annotations").with(ANNOTATION, Node.text(note));
    return pod.with("spec", spec).withMeta(pod.meta().with("annotations", annotations));
  }

  private MapNode withDefaults(MapNode spec, String list, String kind, List<String> notes) {
    if (spec.items(list).isEmpty()) {
      return spec;
    }
    List<Node> next = new ArrayList<>();
    for (Node item : spec.items(list)) {
      next.add(item instanceof MapNode container ? withDefaults(container, kind, notes) : item);
    }
    return spec.with(list, new Node.Items(next));
  }

  private MapNode withDefaults(MapNode container, String kind, List<String> notes) {
    MapNode resources = container.map("resources");
    resources =
        withMissing(
            resources, "requests", requests, " request for " + kind + " ", container, notes);
    resources =
        withMissing(resources, "limits", limits, " limit for " + kind + " ", container, notes);
    return resources.isEmpty() ? container : container.with("resources", resources);
  }

  private static MapNode withMissing(
      MapNode resources,
      String field,
      NavigableMap<String, Node> defaults,
      String note,
      MapNode container,
      List<String> notes) {
    MapNode given = resources.map(field);
    MapNode.Builder amounts = given.toBuilder();
    List<String> set = new ArrayList<>();
    for (Map.Entry<String, Node> each : defaults.entrySet()) {
      if (!given.has(each.getKey())) {
        amounts.put(each.getKey(), each.getValue());
        set.add(each.getKey());
      }
    }
    if (set.isEmpty()) {
      return resources;
    }
    notes.add(String.join(", ", set) + note + container.text("name"));
    return resources.with(field, amounts.build());
  }
}
