package dev.keelson.quota;

import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Quantity;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Pods and the resources they request. All pods count for {@code count/pods}; a pod that has ended,
 * or whose grace period is over, counts for nothing else.
 */
final class PodEvaluator implements Evaluator {

  /** Precedes the name of a device class in the name of its implicit extended resource. */
  static final String DEVICE_CLASS_PREFIX = "deviceclass.resource.kubernetes.io/";

  private static final GroupResource PODS = new GroupResource("", "pods");
  private static final String COUNT = Evaluator.countName(PODS);
  private static final String REQUESTS = "requests.";
  private static final String LIMITS = "limits.";
  private static final String HUGE_PAGES = "hugepages-";
  private static final List<String> COMPUTE = List.of("cpu", "memory", "ephemeral-storage");

  private static final Set<String> NAMES =
      Set.of(
          COUNT,
          "pods",
          "cpu",
          "memory",
          "ephemeral-storage",
          "requests.cpu",
          "requests.memory",
          "requests.ephemeral-storage",
          "limits.cpu",
          "limits.memory",
          "limits.ephemeral-storage");

  /** What every container must specify if a quota limits it; no other resource joins this list. */
  private static final Set<String> MANDATORY =
      Set.of("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory");

  private final InstantSource clock;

  PodEvaluator(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public GroupResource resource() {
    return PODS;
  }

  @Override
  public boolean handles(
      Verb operation, String subresource, @Nullable ApiObject object, @Nullable ApiObject old) {
    return switch (subresource) {
      case "" ->
          operation == Verb.CREATE
              || (operation == Verb.UPDATE
                  && object != null
                  && old != null
                  && PodScopes.isTerminating(old) != PodScopes.isTerminating(object));
      case "resize" -> operation == Verb.UPDATE;
      default -> false;
    };
  }

  @Override
  public List<String> matchingResources(Collection<String> names) {
    return names.stream()
        .filter(
            name ->
                NAMES.contains(name)
                    || name.startsWith(HUGE_PAGES)
                    || name.startsWith(REQUESTS + HUGE_PAGES)
                    || isExtendedQuotaName(name))
        .toList();
  }

  /**
   * Whether the name is that of an extended resource in a quota: {@code requests.example.com/x}.
   */
  static boolean isExtendedQuotaName(String name) {
    return name.startsWith(REQUESTS)
        && (!isNative(name) || name.startsWith(REQUESTS + DEVICE_CLASS_PREFIX));
  }

  private static boolean isExtendedName(String name) {
    return (!isNative(name) && !name.startsWith(REQUESTS)) || name.startsWith(DEVICE_CLASS_PREFIX);
  }

  private static boolean isNative(String name) {
    return name.indexOf('/') < 0 || name.contains("kubernetes.io/");
  }

  @Override
  public boolean hasScopes() {
    return true;
  }

  @Override
  public boolean matches(ScopeRequirement requirement, ApiObject pod) {
    return PodScopes.matches(requirement, pod);
  }

  @Override
  public String missing(Collection<String> required, ApiObject pod) {
    Set<String> mandatory = new TreeSet<>(required);
    mandatory.retainAll(MANDATORY);
    if (mandatory.isEmpty() || PodResources.hasPodLevel(pod)) {
      return "";
    }
    NavigableMap<String, Set<String>> containers = new TreeMap<>();
    MapNode spec = pod.root().map("spec");
    for (String list : List.of("containers", "initContainers")) {
      for (MapNode container : spec.maps(list)) {
        MapNode resources = container.map("resources");
        ResourceList given =
            counted(
                ResourceList.of(resources.map("requests")),
                ResourceList.of(resources.map("limits")));
        for (String name : mandatory) {
          if (given.get(name) == null) {
            containers.computeIfAbsent(name, any -> new TreeSet<>()).add(container.text("name"));
          }
        }
      }
    }
    return containers.isEmpty()
        ? ""
        : containers.entrySet().stream()
            .map(each -> each.getKey() + " for: " + String.join(",", each.getValue()))
            .collect(Collectors.joining("; ", "must specify ", ""));
  }

  @Override
  public ResourceList usage(ApiObject pod) {
    NavigableMap<String, Quantity> amounts = new TreeMap<>();
    amounts.put(COUNT, Quantity.of(1));
    ResourceList count = new ResourceList(amounts);
    return isCharged(pod)
        ? count.plus(counted(PodResources.requests(pod), PodResources.limits(pod)))
        : count;
  }

  /** The names that quotas have for requests and limits. */
  private static ResourceList counted(ResourceList requests, ResourceList limits) {
    NavigableMap<String, Quantity> amounts = new TreeMap<>();
    amounts.put("pods", Quantity.of(1));
    for (String name : COMPUTE) {
      Quantity request = requests.get(name);
      if (request != null) {
        amounts.put(name, request);
        amounts.put(REQUESTS + name, request);
      }
      Quantity limit = limits.get(name);
      if (limit != null) {
        amounts.put(LIMITS + name, limit);
      }
    }
    for (Map.Entry<String, Quantity> request : requests.amounts().entrySet()) {
      String name = request.getKey();
      if (name.startsWith(HUGE_PAGES)) {
        amounts.put(name, request.getValue());
        amounts.put(REQUESTS + name, request.getValue());
      } else if (isExtendedName(name)) {
        amounts.put(REQUESTS + name, request.getValue());
      }
    }
    return new ResourceList(amounts);
  }

  /** Whether the pod counts for more than the number of pods in storage. */
  private boolean isCharged(ApiObject pod) {
    String phase = pod.root().map("status").text("phase");
    if (phase.equals("Failed") || phase.equals("Succeeded")) {
      return false;
    }
    if (!pod.meta().deleting()
        || !(pod.meta().node().get("deletionGracePeriodSeconds") instanceof Node.Int seconds)) {
      return true;
    }
    try {
      Instant deletion = Instant.parse(pod.meta().deletionTimestamp());
      return !clock.instant().isAfter(deletion.plusSeconds(seconds.value()));
    } catch (DateTimeParseException unreadable) {
      // a pod that is not known to have ended is charged
      return true;
    }
  }

  /** A pod gives usage back when it ends, and when the node has carried out a resize. */
  @Override
  public boolean replenishes(ApiObject before, ApiObject after) {
    return !usage(before).equals(usage(after));
  }
}
