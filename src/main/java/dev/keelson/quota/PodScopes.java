package dev.keelson.quota;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Quantity;
import java.util.List;
import java.util.stream.Stream;

/** The scopes of pods. */
final class PodScopes {

  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

  private PodScopes() {}

  static boolean matches(ScopeRequirement requirement, ApiObject pod) {
    MapNode spec = pod.root().map("spec");
    return switch (requirement.scope()) {
      case ScopeRequirement.TERMINATING -> isTerminating(pod);
      case ScopeRequirement.NOT_TERMINATING -> !isTerminating(pod);
      case ScopeRequirement.BEST_EFFORT -> isBestEffort(pod);
      case ScopeRequirement.NOT_BEST_EFFORT -> !isBestEffort(pod);
      case ScopeRequirement.PRIORITY_CLASS -> {
        String name = spec.text("priorityClassName");
        yield requirement.accepts(name.isEmpty() ? null : name);
      }
      case ScopeRequirement.CROSS_NAMESPACE_POD_AFFINITY ->
          crossesNamespaces(spec.map("affinity").map("podAffinity"))
              || crossesNamespaces(spec.map("affinity").map("podAntiAffinity"));
      default -> false;
    };
  }

  /** Whether the pod ends by itself. */
  static boolean isTerminating(ApiObject pod) {
    return pod.root().map("spec").get("activeDeadlineSeconds") instanceof Node.Int seconds
        && seconds.value() >= 0;
  }

  private static boolean isBestEffort(ApiObject pod) {
    String known = pod.root().map("status").text("qosClass");
    if (!known.isEmpty()) {
      return known.equals("BestEffort");
    }
    MapNode spec = pod.root().map("spec");
    Stream<MapNode> resources =
        spec.get("resources") instanceof MapNode own && !own.isEmpty()
            ? Stream.of(own)
            : Stream.of("containers", "initContainers")
                .flatMap(list -> spec.maps(list).stream())
                .map(container -> container.map("resources"));
    return resources.noneMatch(PodScopes::asksForCompute);
  }

  private static boolean asksForCompute(MapNode resources) {
    for (String kind : List.of("requests", "limits")) {
      ResourceList amounts = ResourceList.of(resources.map(kind));
      for (String name : List.of("cpu", "memory")) {
        Quantity amount = amounts.get(name);
        if (amount != null && amount.signum() > 0) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean crossesNamespaces(MapNode affinity) {
    return affinity.maps(REQUIRED).stream().anyMatch(PodScopes::namesNamespaces)
        || affinity.maps(PREFERRED).stream()
            .map(weighted -> weighted.map("podAffinityTerm"))
            .anyMatch(PodScopes::namesNamespaces);
  }

  private static boolean namesNamespaces(MapNode term) {
    return !term.items("namespaces").isEmpty() || term.get("namespaceSelector") instanceof MapNode;
  }
}
