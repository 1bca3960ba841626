package dev.keelson.schema.validation.core.pod;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.pod.ContainerTotals;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.QuantityRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.value.Quantity;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Resource names and amounts, of containers, claims, limits and quotas. */
public final class ResourceRules {
  private static final Set<String> CONTAINER = Set.of("cpu", "memory", "ephemeral-storage");

  /** What may stand in a quota or a limit without a domain. */
  private static final Set<String> STANDARD =
      Set.of(
          "cpu",
          "memory",
          "ephemeral-storage",
          "requests.cpu",
          "requests.memory",
          "requests.ephemeral-storage",
          "limits.cpu",
          "limits.memory",
          "limits.ephemeral-storage",
          "pods",
          "resourcequotas",
          "services",
          "replicationcontrollers",
          "secrets",
          "persistentvolumeclaims",
          "configmaps",
          "services.nodeports",
          "services.loadbalancers",
          "requests.storage",
          "storage");

  private static final Set<String> WHOLE =
      Set.of(
          "pods",
          "services",
          "replicationcontrollers",
          "resourcequotas",
          "secrets",
          "configmaps",
          "persistentvolumeclaims",
          "services.nodeports",
          "services.loadbalancers");

  private ResourceRules() {}

  /** The {@code resources} of a container of the pod spec {@code pod}. */
  static void validateResourceRequirements(Value resources, Value pod) {
    validateResourceRequirements(
        resources,
        ResourceRules::validateContainerResourceName,
        () -> HugePages.wereIndivisible(pod));
  }

  /**
   * What the runtime of the pod spec {@code pod} takes for itself: as if it were the limits of a
   * container.
   */
  static void validateOverhead(Value pod) {
    Value overhead = pod.get("overhead");
    if (overhead.node() instanceof MapNode map) {
      validateResourceRequirements(overhead.holding(MapNode.of("limits", map)), pod);
    }
  }

  /**
   * The amounts of {@code overhead}, as if they were the limits of a container at {@code place}.
   */
  public static void validateOverhead(Value overhead, Value place) {
    if (overhead.node() instanceof MapNode map) {
      validateResourceRequirements(
          place.holding(MapNode.of("limits", map)),
          ResourceRules::validateContainerResourceName,
          () -> false);
    }
  }

  /**
   * @param anyPages whether huge pages may be other than multiples of their size
   */
  private static void validateResourceRequirements(
      Value resources, BiConsumer<Value, String> names, BooleanSupplier anyPages) {
    Value limits = resources.get("limits");
    Value requests = resources.get("requests");
    boolean hugePages = false;
    boolean cpuOrMemory = false;
    for (Value limit : limits) {
      validateResourceLimit(limit, names, anyPages);
      hugePages |= HugePages.isOne(limit.name());
      cpuOrMemory |= limit.name().equals("cpu") || limit.name().equals("memory");
    }
    for (Value request : requests) {
      String name = request.name();
      names.accept(request, name);
      validateResourceQuantityValue(request);
      hugePages |= HugePages.isOne(name);
      cpuOrMemory |= name.equals("cpu") || name.equals("memory");
      Value limit = limits.key(name);
      if (limit.present()) {
        if (!isOvercommitAllowed(name) && !QuantityRules.equal(request, limit)) {
          requests.invalid(
              QuantityRules.text(request),
              "must be equal to " + name + " limit of " + QuantityRules.text(limit));
        } else if (isOvercommitAllowed(name) && QuantityRules.greater(request, limit)) {
          requests.invalid(
              QuantityRules.text(request),
              "must be less than or equal to " + name + " limit of " + QuantityRules.text(limit));
        }
      } else if (!isOvercommitAllowed(name)) {
        limits.required("Limit must be set for non overcommitable resources");
      }
      validateHugePages(request, anyPages);
    }
    if (hugePages && !cpuOrMemory) {
      resources.forbidden("HugePages require cpu or memory");
    }
  }

  /** The {@code resources} of the pod spec {@code pod} as a whole, and those of its containers. */
  static void validatePodResources(Value pod) {
    Value resources = pod.get("resources");
    if (resources.absent()) {
      return;
    }
    if (pod.get("os", "name").is("windows")) {
      resources.forbidden("may not be set for a windows pod");
      return;
    }
    if (resources.get("claims").present()) {
      resources.get("claims").forbidden("claims may not be set for Resources at pod-level");
    }
    validateResourceRequirements(
        resources, ResourceRules::validatePodResourceName, () -> HugePages.wereIndivisible(pod));
    if (resources.get("claims").size() > 0) {
      validateResourceClaimNames(resources.get("claims"), ClaimNames.of(pod.get("resourceClaims")));
    }
    validateTotals(pod, "requests", name -> true);
    validateTotals(pod, "limits", HugePages::isOne);
    Value containers = pod.get("containers");
    for (int i = 0; i < containers.size(); i++) {
      for (Value limit : containers.at(i).get("resources", "limits")) {
        Value most = resources.get("limits").key(limit.name());
        if (most.present() && QuantityRules.greater(limit, most)) {
          // Kubernetes looks for the containers in the resources
          resources
              .get("containers")
              .at(i)
              .key(limit.name())
              .get("limits")
              .invalid(
                  QuantityRules.text(limit),
                  "must be less than or equal to pod limits of " + QuantityRules.text(most));
        }
      }
    }
  }

  /** Requires the pod to have as much as its containers have together. */
  private static void validateTotals(Value pod, String kind, Predicate<String> checked) {
    Value ofPod = pod.get("resources", kind);
    for (Map.Entry<String, Quantity> total : ContainerTotals.of(pod.map(), kind).entrySet()) {
      Value own = ofPod.key(total.getKey());
      BigDecimal number = own.present() ? QuantityRules.number(own) : null;
      if (number != null
          && checked.test(total.getKey())
          && total.getValue().amount().compareTo(number) > 0) {
        own.invalid(
            QuantityRules.text(own),
            "must be greater than or equal to aggregate container "
                + kind
                + " of "
                + total.getValue());
      }
    }
  }

  private static void validatePodResourceName(Value entry, String name) {
    if (validateResourceName(entry, name) && !isPodLevelResource(name)) {
      entry.unsupportedText(name, "cpu", "hugepages-", "memory");
    }
  }

  private static boolean isPodLevelResource(String name) {
    return name.equals("cpu") || name.equals("memory") || HugePages.isOne(name);
  }

  /**
   * The names of the claims of a pod.
   *
   * @param shown as messages have them
   */
  record ClaimNames(java.util.Set<String> names, String shown) {

    static ClaimNames of(Value claims) {
      java.util.Set<String> names = new java.util.TreeSet<>();
      for (Value claim : claims) {
        if (claim.get("name").filled()) {
          names.add(claim.get("name").text());
        }
      }
      return new ClaimNames(
          names, names.isEmpty() ? " which is empty" : ": " + String.join(", ", names));
    }
  }

  /** The claims of a container's {@code resources}: names of claims of the pod, each once. */
  static void validateResourceClaimNames(Value claims, ClaimNames ofPod) {
    java.util.Set<String> seen = new java.util.HashSet<>();
    java.util.Set<String> byRequest = new java.util.HashSet<>();
    for (Value claim : claims) {
      String name = claim.get("name").text();
      if (name.isEmpty()) {
        claim.required();
        continue;
      }
      Value request = claim.get("request");
      String key = request.filled() ? name + "/" + request.text() : name;
      if (seen.contains(name)) {
        claim.duplicate(name);
      } else {
        request.dnsLabel();
        if (!seen.add(key)) {
          claim.duplicate(key);
        } else if (request.filled()) {
          byRequest.add(name);
        } else if (byRequest.contains(name)) {
          claim.duplicate(name);
        }
      }
      if (!ofPod.names.contains(name)) {
        claim.notFound(name, "must be one of the names in pod.spec.resourceClaims" + ofPod.shown);
      }
    }
  }

  private static void validateResourceLimit(
      Value entry, BiConsumer<Value, String> names, BooleanSupplier anyPages) {
    String name = entry.name();
    names.accept(entry, name);
    validateResourceQuantityValue(entry);
    validateHugePages(entry, anyPages);
  }

  /** An amount of a resource: not negative, and whole where things are counted. */
  public static void validateResourceQuantityValue(Value entry) {
    QuantityRules.nonNegative(entry);
    if (WHOLE.contains(entry.name()) || isExtendedResourceName(entry.name())) {
      QuantityRules.integer(entry);
    }
  }

  private static void validateHugePages(Value entry, BooleanSupplier anyPages) {
    if (HugePages.isIndivisible(entry) && !anyPages.getAsBoolean()) {
      entry.invalid(
          QuantityRules.text(entry),
          QuantityRules.text(entry) + " is not positive integer multiple of " + entry.name());
    }
  }

  /** A resource that a container can request. */
  public static void validateContainerResourceName(Value entry, String name) {
    validateResourceName(entry, name);
    if (name.indexOf('/') < 0) {
      if (!CONTAINER.contains(name) && !HugePages.isOne(name)) {
        entry.invalid(name, "must be a standard resource for containers");
      }
    } else if (!isNative(name) && !isExtendedResourceName(name)) {
      entry.invalid(name, "doesn't follow extended resource name standard");
    }
  }

  /** Any resource: a known one, or one with a domain. Says whether it is one. */
  public static boolean validateResourceName(Value entry, String name) {
    String problem = Formats.QUALIFIED_NAME.apply(name);
    if (!problem.isEmpty()) {
      entry.invalid(name, problem);
      return false;
    }
    if (name.indexOf('/') < 0 && !isStandard(name)) {
      entry.invalid(name, "must be a standard resource type or fully qualified");
      return false;
    }
    return true;
  }

  public static void validateResourceQuotaResourceName(Value entry, String name) {
    validateResourceName(entry, name);
    if (name.indexOf('/') < 0 && !isStandardQuotaResource(name)) {
      entry.invalid(name, "must be a standard resource for quota");
    }
  }

  /** Whether quotas know the resource by a name without a domain. */
  public static boolean isStandardQuotaResource(String name) {
    return isStandard(name) && !name.equals("storage");
  }

  /** An extended resource, which quotas can count. */
  public static boolean isExtendedResourceName(String name) {
    return !isNative(name)
        && !name.startsWith("requests.")
        && Formats.QUALIFIED_NAME.apply("requests." + name).isEmpty();
  }

  static boolean isNative(String name) {
    return name.indexOf('/') < 0 || name.contains("kubernetes.io/");
  }

  private static boolean isStandard(String name) {
    return STANDARD.contains(name)
        || HugePages.isOne(name)
        || name.startsWith("requests.hugepages-");
  }

  /** Whether a limit may exceed the request. */
  public static boolean isOvercommitAllowed(String name) {
    return isNative(name) && !HugePages.isOne(name);
  }
}
