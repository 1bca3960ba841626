package dev.keelson.quota;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * The requests and limits of a pod as a whole (source: component-helpers' {@code resource} package,
 * KEP-753, KEP-1287, KEP-2837): containers and sidecars together, or an init container with the
 * sidecars before it if that is more; resources of the pod level replace the sums.
 */
public final class PodResources {

  private static final Set<String> OF_PODS = Set.of("cpu", "memory");

  /** Which numbers of the pod count. */
  private enum Source {
    /** The spec alone. */
    SPEC,
    /** The spec, or what the node has granted while a resize is not complete, if that is more. */
    SPEC_AND_STATUS
  }

  private final MapNode spec;
  private final MapNode status;
  private final Source source;

  private PodResources(ApiObject pod, Source source) {
    this.spec = pod.root().map("spec");
    this.status = pod.root().map("status");
    this.source = source;
  }

  /** The requests that the spec declares, without overhead. */
  public static ResourceList declaredRequests(ApiObject pod) {
    PodResources pods = new PodResources(pod, Source.SPEC);
    return pods.withPodLevel(pods.containers("requests"), "requests", OF_PODS);
  }

  /** The limits that the spec declares, without overhead. */
  public static ResourceList declaredLimits(ApiObject pod) {
    PodResources pods = new PodResources(pod, Source.SPEC);
    return pods.withPodLevel(pods.containers("limits"), "limits", OF_PODS);
  }

  /** The requests with overhead, at least those that the node has granted. */
  static ResourceList requests(ApiObject pod) {
    PodResources pods = new PodResources(pod, Source.SPEC_AND_STATUS);
    return pods.withPodLevel(pods.containers("requests"), "requests", Set.of())
        .plus(ResourceList.of(pods.spec.map("overhead")));
  }

  /** The limits, at least those that the node has granted; with overhead where there is a limit. */
  static ResourceList limits(ApiObject pod) {
    PodResources pods = new PodResources(pod, Source.SPEC_AND_STATUS);
    ResourceList limits = pods.withPodLevel(pods.containers("limits"), "limits", Set.of());
    return limits.plus(
        ResourceList.of(pods.spec.map("overhead")).masked(limits.withoutZeros().names()));
  }

  /** Whether the pod has resources of its own, besides those of its containers. */
  static boolean hasPodLevel(ApiObject pod) {
    MapNode resources = pod.root().map("spec").map("resources");
    return ResourceList.of(resources.map("requests")).names().stream()
            .anyMatch(PodResources::isPodLevel)
        || ResourceList.of(resources.map("limits")).names().stream()
            .anyMatch(PodResources::isPodLevel);
  }

  private static boolean isPodLevel(String name) {
    return OF_PODS.contains(name) || name.startsWith("hugepages-");
  }

  /** The sums, replaced by the pod's own amounts; {@code only} names which, empty for all. */
  private ResourceList withPodLevel(ResourceList sums, String kind, Set<String> only) {
    ResourceList own = ResourceList.of(spec.map("resources").map(kind));
    if (own.isEmpty()) {
      return sums;
    }
    if (source == Source.SPEC_AND_STATUS && status.get("resources") instanceof MapNode granted) {
      ResourceList least = ResourceList.of(granted.map(kind));
      if (kind.equals("requests")) {
        least = least.max(ResourceList.of(status.map("allocatedResources")));
      }
      own = infeasible() ? least : own.max(least);
    }
    List<String> names = new ArrayList<>(own.names());
    names.removeIf(name -> only.isEmpty() ? !isPodLevel(name) : !only.contains(name));
    return sums.with(own.masked(names));
  }

  private ResourceList containers(String kind) {
    Map<String, MapNode> statuses = statuses();
    Sum running = new Sum();
    for (MapNode container : spec.maps("containers")) {
      running.add(amounts(container, kind, statuses));
    }
    Sum sidecars = new Sum();
    Sum starting = new Sum();
    for (MapNode container : spec.maps("initContainers")) {
      ResourceList own = amounts(container, kind, statuses);
      if (container.text("restartPolicy").equals("Always")) {
        running.add(own);
        sidecars.add(own);
        starting.atLeast(sidecars.list());
      } else {
        starting.atLeast(own.plus(sidecars.list()));
      }
    }
    running.atLeast(starting.list());
    return running.list();
  }

  private Map<String, MapNode> statuses() {
    Map<String, MapNode> statuses = new HashMap<>();
    if (source == Source.SPEC_AND_STATUS) {
      for (String list : List.of("initContainerStatuses", "containerStatuses")) {
        status.maps(list).forEach(each -> statuses.put(each.text("name"), each));
      }
    }
    return statuses;
  }

  private ResourceList amounts(MapNode container, String kind, Map<String, MapNode> statuses) {
    ResourceList wanted = ResourceList.of(container.map("resources").map(kind));
    MapNode known = statuses.get(container.text("name"));
    if (known == null || !(known.get("resources") instanceof MapNode granted)) {
      return wanted;
    }
    ResourceList least = ResourceList.of(granted.map(kind));
    if (kind.equals("requests")) {
      least = least.max(ResourceList.of(known.map("allocatedResources")));
    }
    return infeasible() ? least : wanted.max(least);
  }

  /** Whether the node refuses the resize of the pod. */
  private boolean infeasible() {
    for (Node item : status.items("conditions")) {
      if (item instanceof MapNode condition && condition.text("type").equals("PodResizePending")) {
        return condition.text("reason").equals("Infeasible");
      }
    }
    return false;
  }

  /** Amounts that are added up in place: a pod may have many containers. */
  private static final class Sum {
    private final NavigableMap<String, Quantity> amounts = new TreeMap<>();

    void add(ResourceList more) {
      more.amounts().forEach((name, amount) -> amounts.merge(name, amount, Quantity::plus));
    }

    void atLeast(ResourceList least) {
      least
          .amounts()
          .forEach(
              (name, amount) ->
                  amounts.merge(name, amount, (one, two) -> two.compareTo(one) > 0 ? two : one));
    }

    ResourceList list() {
      return new ResourceList(amounts);
    }
  }
}
