package dev.keelson.schema.validation.core.pod;

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
      spec.holding(object.get("status", "qosClass").node())
          .invalid("Pod QOS Class may not change as a result of resizing");
    }
    if (!isSupported(old)) {
      spec.forbidden("Pod running on node without support for resize");
    }
    for (String list : new String[] {"initContainers", "containers"}) {
      for (int i = 0; i < was.get(list).size(); i++) {
        Value container = spec.get(list).at(i);
        kept(container.get("resources"), was.get(list).at(i).get("resources"));
        memory(container, was.get(list).at(i));
      }
    }
    others(spec, was);
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

  private static void kept(Value resources, Value old) {
    for (String kind : new String[] {"requests", "limits"}) {
      if (!Set.copyOf(resources.get(kind).map().keys()).containsAll(old.get(kind).map().keys())) {
        resources.get(kind).forbidden("resource " + kind + " cannot be removed");
      }
    }
  }

  /** A limit on memory that is new to a container means less than it had. */
  private static void memory(Value container, Value was) {
    boolean restarts = false;
    for (Value policy : container.get("resizePolicy")) {
      restarts |=
          policy.get("resourceName").is("memory")
              && policy.get("restartPolicy").is("RestartContainer");
    }
    Value limit = container.get("resources", "limits").key("memory");
    if (!restarts && limit.present() && !was.get("resources", "limits").map().has("memory")) {
      limit.forbidden("memory limits cannot be added unless resizePolicy is RestartContainer");
    }
  }

  /** All but CPU and memory is as it was. */
  private static void others(Value spec, Value was) {
    for (String list : new String[] {"containers", "initContainers"}) {
      for (int i = 0; i < was.get(list).size(); i++) {
        Value container = spec.get(list).at(i);
        MapNode before = was.get(list).at(i).map();
        boolean regular = list.equals("containers");
        if (!without(container.map()).equals(without(before))) {
          spec.forbidden(
              regular
                  ? "only cpu and memory resources are mutable"
                  : container.get("restartPolicy").is("Always")
                      ? "only cpu and memory resources for sidecar containers are mutable"
                      : "only cpu and memory resources for init containers are mutable");
        }
      }
    }
  }

  private static MapNode without(MapNode container) {
    MapNode resources = container.map("resources");
    for (String kind : new String[] {"requests", "limits"}) {
      MapNode amounts = resources.map(kind);
      for (String name : RESIZED) {
        amounts = amounts.without(name);
      }
      resources = amounts.isEmpty() ? resources.without(kind) : resources.with(kind, amounts);
    }
    return container.with("resources", resources);
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
