package dev.keelson.schema.validation.core.pod;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.validation.QuantityRules;
import dev.keelson.schema.validation.Value;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a resize of a pod may change: the amounts of CPU and memory of its containers, not so that
 * the pod would be of another class of service (source: ValidatePodResize).
 */
final class PodResizeRules {
  private static final List<String> RESIZED = List.of("cpu", "memory");

  private PodResizeRules() {}

  static void validatePodResize(Value object, Value old) {
    if (old.get("metadata", "annotations").key(PodStatusRules.MIRROR).present()) {
      object.get("[]").forbidden("static pods cannot be resized");
      return;
    }
    if (old.get("spec", "os", "name").is("windows")) {
      object.get("[]").forbidden("windows pods cannot be resized");
      return;
    }
    Value spec = object.get("spec");
    Value was = old.get("spec");
    if (!serviceClass(spec).equals(serviceClass(was))) {
      spec.holding(Node.text(object.get("status", "qosClass").text()))
          .invalid("Pod QOS Class may not change as a result of resizing");
    }
    if (!isSupported(old)) {
      spec.forbidden("Pod running on node without support for resize");
    }
    podLevel(spec, was);
    if (old.get("status", "nodeAllocatableResourceClaimStatuses").size() > 0) {
      spec.forbidden("pods with node allocatable resource claims cannot be resized");
    }
    // what follows compares containers by their places
    if (!sameContainers(spec, was)) {
      return;
    }
    for (String list : new String[] {"initContainers", "containers"}) {
      for (int i = 0; i < was.get(list).size(); i++) {
        kept(spec.get(list).at(i).get("resources"), was.get(list).at(i).get("resources"), "");
      }
    }
    others(spec, was);
  }

  /** The resources of the pod itself, as those of its containers. */
  private static void podLevel(Value spec, Value was) {
    Value next = spec.get("resources");
    Value before = was.get("resources");
    if (!asks(next) && !asks(before)) {
      return;
    }
    if (before.present() && !next.present()) {
      next.forbidden("pod-level resources cannot be removed");
      return;
    }
    kept(next, before, "pod-level ");
    if (!unresized(next.map()).equals(unresized(before.map()))) {
      spec.forbidden("only cpu and memory resources are mutable at pod-level");
    }
  }

  private static boolean asks(Value resources) {
    return resources.get("requests").size() > 0 || resources.get("limits").size() > 0;
  }

  /** Whether no container was added, removed, renamed or moved; else there is a cause for it. */
  private static boolean sameContainers(Value spec, Value was) {
    boolean same = true;
    for (String list : new String[] {"containers", "initContainers"}) {
      Value next = spec.get(list);
      Value before = was.get(list);
      if (next.size() != before.size()) {
        next.forbidden(list + " may not be added or removed on resize");
        same = false;
      } else {
        for (int i = 0; i < before.size(); i++) {
          Value name = next.at(i).get("name");
          if (!name.is(before.at(i).get("name").text())) {
            name.forbidden(list + " may not be renamed or reordered on resize");
            same = false;
          }
        }
      }
    }
    return same;
  }

  /** The pod runs on a node that has said what resources its containers have, or not at all yet. */
  private static boolean isSupported(Value pod) {
    for (Value status : pod.get("status", "containerStatuses")) {
      if (status.get("state", "running").present()) {
        return status.get("resources").present();
      }
    }
    return true;
  }

  private static void kept(Value resources, Value old, String prefix) {
    for (String kind : new String[] {"requests", "limits"}) {
      if (!Set.copyOf(resources.get(kind).map().keys()).containsAll(old.get(kind).map().keys())) {
        resources.get(kind).forbidden(prefix + "resource " + kind + " cannot be removed");
      }
    }
  }

  /** All but CPU and memory is as it was. */
  private static void others(Value spec, Value was) {
    for (int i = 0; i < was.get("containers").size(); i++) {
      MapNode container = spec.get("containers").at(i).map();
      if (!resized(container).equals(unresizedIn(was.get("containers").at(i).map()))) {
        spec.forbidden("only cpu and memory resources are mutable");
      }
    }
    for (int i = 0; i < was.get("initContainers").size(); i++) {
      Value container = spec.get("initContainers").at(i);
      MapNode before = was.get("initContainers").at(i).map();
      if (!resized(container.map()).equals(unresizedIn(before))) {
        container.forbidden(
            "only cpu and memory resources for init or sidecar containers are mutable");
      }
      if (!container.get("restartPolicy").is("Always")
          && !container.map().equals(before)
          && restarts(container)) {
        container.forbidden(
            "non-sidecar init containers with a resize policy of RestartContainer cannot be"
                + " resized");
      }
    }
  }

  private static boolean restarts(Value container) {
    for (Value policy : container.get("resizePolicy")) {
      if (policy.get("restartPolicy").is("RestartContainer")) {
        return true;
      }
    }
    return false;
  }

  private static MapNode unresizedIn(MapNode container) {
    return container.with("resources", unresized(container.map("resources")));
  }

  /**
   * Kubernetes takes the claims from what is asked for, so that no container with some is resized.
   */
  private static MapNode resized(MapNode container) {
    MapNode rest = unresizedIn(container);
    return rest.with("resources", rest.map("resources").without("claims"));
  }

  /** The resources without what a resize may change. */
  private static MapNode unresized(MapNode given) {
    MapNode resources = given;
    for (String kind : new String[] {"requests", "limits"}) {
      MapNode amounts = resources.map(kind);
      for (String name : RESIZED) {
        amounts = amounts.without(name);
      }
      resources = amounts.isEmpty() ? resources.without(kind) : resources.with(kind, amounts);
    }
    return resources;
  }

  /** The class of service, from what the containers ask for and may have. */
  private static String serviceClass(Value spec) {
    Map<String, BigDecimal> requests = new HashMap<>();
    Map<String, BigDecimal> limits = new HashMap<>();
    boolean limited = true;
    boolean whole = spec.get("resources").size() > 0;
    for (String list : whole ? List.of("") : List.of("containers", "initContainers")) {
      for (Value each : whole ? List.of(spec) : spec.get(list)) {
        int count = 0;
        for (String name : RESIZED) {
          add(requests, name, each.get("resources", "requests").key(name));
          count += add(limits, name, each.get("resources", "limits").key(name)) ? 1 : 0;
        }
        limited &= count == RESIZED.size();
      }
    }
    if (requests.isEmpty() && limits.isEmpty()) {
      return "BestEffort";
    }
    boolean same = requests.keySet().equals(limits.keySet());
    for (Map.Entry<String, BigDecimal> request : requests.entrySet()) {
      BigDecimal limit = limits.get(request.getKey());
      same &= limit != null && limit.compareTo(request.getValue()) == 0;
    }
    return limited && same ? "Guaranteed" : "Burstable";
  }

  private static boolean add(Map<String, BigDecimal> sums, String name, Value amount) {
    BigDecimal number = amount.present() ? QuantityRules.number(amount) : null;
    if (number == null || number.signum() <= 0) {
      return false;
    }
    sums.merge(name, number, BigDecimal::add);
    return true;
  }
}
