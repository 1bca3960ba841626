package dev.keelson.admission.plugin.pod;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * RuntimeClass: sets overhead, node selector and tolerations of a pod from its runtime class, which
 * must exist (KEP-585, KEP-688).
 */
public final class PodRuntimeClass implements Admission {

  private static final String OTHER_OVERHEAD =
      "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

  private final ClusterObjects objects;

  public PodRuntimeClass(ClusterObjects objects) {
    this.objects = objects;
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return operation == Verb.CREATE && Pods.isPod(resource, subresource);
  }

  @Override
  public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    if (!Pods.creates(call)) {
      return object;
    }
    MapNode spec = Pods.spec(object);
    MapNode runtime = runtimeClass(call, spec);
    MapNode next =
        runtime.has("overhead")
            ? withOverhead(call, spec, runtime.map("overhead").map("podFixed"))
            : spec;
    next = runtime.has("scheduling") ? scheduled(call, next, runtime.map("scheduling")) : next;
    return next.equals(spec) ? object : object.with("spec", next);
  }

  @Override
  public void validate(AdmissionAttributes call) {
    ApiObject pod = call.object();
    if (pod == null || !Pods.creates(call)) {
      return;
    }
    MapNode spec = Pods.spec(pod);
    MapNode runtime = runtimeClass(call, spec);
    MapNode overhead = spec.map("overhead");
    if (!runtime.has("overhead")) {
      if (!overhead.isEmpty()) {
        throw call.forbidden(
            "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
      }
    } else if (!isSame(overhead, runtime.map("overhead").map("podFixed"))) {
      // a webhook may have changed or removed it
      throw call.forbidden(OTHER_OVERHEAD);
    }
  }

  /** The runtime class of a pod; empty if it names none. */
  private MapNode runtimeClass(AdmissionAttributes call, MapNode spec) {
    String name = spec.text("runtimeClassName");
    return name.isEmpty()
        ? MapNode.EMPTY
        : objects
            .runtimeClass(name)
            .map(ApiObject::root)
            .orElseThrow(
                () -> call.forbidden("pod rejected: RuntimeClass \"" + name + "\" not found"));
  }

  private static MapNode withOverhead(AdmissionAttributes call, MapNode spec, MapNode overhead) {
    MapNode given = spec.map("overhead");
    if (!given.isEmpty() && !isSame(given, overhead)) {
      throw call.forbidden(OTHER_OVERHEAD);
    }
    return overhead.isEmpty() ? spec.without("overhead") : spec.with("overhead", overhead);
  }

  /** Whether two lists of amounts are the same, however these are written. */
  private static boolean isSame(MapNode one, MapNode other) {
    return amounts(one).equals(amounts(other));
  }

  private static Map<String, BigDecimal> amounts(MapNode list) {
    Map<String, BigDecimal> amounts = new HashMap<>();
    list.texts()
        .forEach(
            (name, text) ->
                Quantity.tryParse(text)
                    .ifPresent(each -> amounts.put(name, each.amount().stripTrailingZeros())));
    return amounts;
  }

  private static MapNode scheduled(AdmissionAttributes call, MapNode spec, MapNode scheduling) {
    MapNode next = spec;
    MapNode wanted = scheduling.map("nodeSelector");
    MapNode selector = spec.map("nodeSelector");
    for (int i = 0; i < wanted.size(); i++) {
      String key = wanted.keyAt(i);
      Node given = selector.get(key);
      if (given != null && !given.equals(wanted.valueAt(i))) {
        throw call.forbidden(
            "conflict: runtimeClass.scheduling.nodeSelector["
                + key
                + "] = "
                + wanted.text(key)
                + "; pod.spec.nodeSelector["
                + key
                + "] = "
                + selector.text(key));
      }
      selector = selector.with(key, wanted.valueAt(i));
    }
    if (!wanted.isEmpty()) {
      next = next.with("nodeSelector", selector);
    }
    List<MapNode> merged =
        Tolerations.merged(next.maps("tolerations"), scheduling.maps("tolerations"));
    return merged.equals(next.maps("tolerations"))
        ? next
        : next.with("tolerations", new Node.Items(new ArrayList<>(merged)));
  }
}
