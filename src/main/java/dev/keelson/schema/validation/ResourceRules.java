package dev.keelson.schema.validation;

import java.util.Set;

/** Resource names and amounts, of containers, claims, limits and quotas. */
final class ResourceRules {

  private static final Set<String> CONTAINER = Set.of("cpu", "memory", "ephemeral-storage");

  /** What may stand in a quota or a limit without a domain. */
  static final Set<String> STANDARD =
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

  /** The {@code resources} of a container or a pod. */
  static void requirements(Value resources) {
    Value limits = resources.get("limits");
    Value requests = resources.get("requests");
    boolean hugePages = false;
    boolean cpuOrMemory = false;
    for (Value limit : limits) {
      amount(limit);
      hugePages |= isHugePages(limit.name());
      cpuOrMemory |= limit.name().equals("cpu") || limit.name().equals("memory");
    }
    for (Value request : requests) {
      amount(request);
      String name = request.name();
      hugePages |= isHugePages(name);
      cpuOrMemory |= name.equals("cpu") || name.equals("memory");
      Value limit = limits.key(name);
      if (limit.present()) {
        if (!overcommits(name) && !Amount.equal(request, limit)) {
          requests.invalid(
              Amount.shown(request),
              "must be equal to " + name + " limit of " + Amount.shown(limit));
        } else if (overcommits(name) && Amount.more(request, limit)) {
          requests.invalid(
              Amount.shown(request),
              "must be less than or equal to " + name + " limit of " + Amount.shown(limit));
        }
      } else if (!overcommits(name)) {
        limits.required("Limit must be set for non overcommitable resources");
      }
    }
    if (hugePages && !cpuOrMemory) {
      resources.forbidden("HugePages require cpu or memory");
    }
  }

  /** The claims of a container's {@code resources}: names of claims of the pod, each once. */
  static void claims(Value claims, Value ofPod) {
    if (claims.size() == 0) {
      return;
    }
    java.util.Set<String> names = new java.util.TreeSet<>();
    for (Value claim : ofPod) {
      if (claim.get("name").filled()) {
        names.add(claim.get("name").text());
      }
    }
    String others = names.isEmpty() ? " which is empty" : ": " + String.join(", ", names);
    java.util.Set<String> seen = new java.util.HashSet<>();
    java.util.Set<String> byRequest = new java.util.HashSet<>();
    for (Value claim : claims) {
      String name = claim.get("name").text();
      if (name.isEmpty()) {
        claim.required();
        continue;
      }
      claim.get("request").dnsLabel();
      String key = claim.get("request").filled() ? name + "/" + claim.get("request").text() : name;
      if (seen.contains(name)) {
        claim.duplicate(name);
      } else if (!seen.add(key)) {
        claim.duplicate(key);
      } else if (!key.equals(name)) {
        byRequest.add(name);
      } else if (byRequest.contains(name)) {
        claim.duplicate(name);
      }
      if (!names.contains(name)) {
        claim.notFound(name, "must be one of the names in pod.spec.resourceClaims" + others);
      }
    }
  }

  private static void amount(Value entry) {
    String name = entry.name();
    containerName(entry, name);
    Amount.notNegative(entry);
    if (!overcommits(name) && !isHugePages(name)) {
      Amount.whole(entry);
    }
    if (isHugePages(name)) {
      wholePages(entry, name);
    }
  }

  private static void wholePages(Value entry, String name) {
    java.math.BigDecimal page = Amount.of(name.substring("hugepages-".length()));
    java.math.BigDecimal amount = Amount.of(entry);
    if (amount == null) {
      return;
    }
    if (page == null || page.signum() <= 0 || amount.remainder(page).signum() != 0) {
      entry.invalid(
          Amount.shown(entry),
          Amount.shown(entry) + " is not positive integer multiple of " + name);
    }
  }

  /** A resource that a container can request. */
  static void containerName(Value entry, String name) {
    name(entry, name);
    if (name.indexOf('/') < 0 && !CONTAINER.contains(name) && !isHugePages(name)) {
      entry.invalid(name, "must be a standard resource for containers");
    }
  }

  /** Any resource: a known one, or one with a domain. */
  static void name(Value entry, String name) {
    String problem = Formats.QUALIFIED_NAME.apply(name);
    if (!problem.isEmpty()) {
      entry.invalid(name, problem);
    }
    if (name.indexOf('/') < 0 && !isStandard(name)) {
      entry.invalid(name, "must be a standard resource type or fully qualified");
    }
  }

  static void quotaName(Value entry, String name) {
    name(entry, name);
    if (name.indexOf('/') < 0 && (!isStandard(name) || name.equals("storage"))) {
      entry.invalid(name, "must be a standard resource for quota");
    }
  }

  /** An amount in a quota: not negative, whole where things are counted. */
  static void quotaAmount(Value entry) {
    Amount.notNegative(entry);
    if (WHOLE.contains(entry.name()) || entry.name().startsWith("count/")) {
      Amount.whole(entry);
    }
  }

  private static boolean isStandard(String name) {
    return STANDARD.contains(name) || isHugePages(name) || name.startsWith("requests.hugepages-");
  }

  static boolean isHugePages(String name) {
    return name.startsWith("hugepages-");
  }

  /** Whether a limit may exceed the request. */
  static boolean overcommits(String name) {
    return name.indexOf('/') < 0 && !isHugePages(name) || name.startsWith("kubernetes.io/");
  }
}
