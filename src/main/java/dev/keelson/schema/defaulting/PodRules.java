package dev.keelson.schema.defaulting;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.pod.ContainerTotals;
import dev.keelson.value.Quantity;
import java.util.Map;
import java.util.Set;

/**
 * What depends on other fields in pods. Pods themselves get more than the templates of pods, as in
 * Kubernetes: requests from limits, host ports, service links.
 */
final class PodRules {

  /** What a pod can have as a whole, beside huge pages. */
  private static final Set<String> OF_PODS = Set.of("cpu", "memory");

  private PodRules() {}

  static MapNode container(MapNode container) {
    return Values.hasText(container, "imagePullPolicy")
        ? container
        : container.with(
            "imagePullPolicy", Node.text(ImageTag.pullPolicy(container.text("image"))));
  }

  /** A volume of no source is an empty directory; an image is pulled as a container's is. */
  static MapNode volume(MapNode volume) {
    boolean sourceless = true;
    for (int i = 0; i < volume.size(); i++) {
      sourceless &= volume.keyAt(i).equals("name") || volume.valueAt(i) == Node.Null.NULL;
    }
    if (sourceless) {
      return volume.with("emptyDir", MapNode.EMPTY);
    }
    if (volume.get("image") instanceof MapNode image && !Values.hasText(image, "pullPolicy")) {
      String policy = ImageTag.pullPolicy(image.text("reference"));
      return volume.with("image", image.with("pullPolicy", Node.text(policy)));
    }
    return volume;
  }

  /**
   * The account has an old name that stands beside the new one in every pod and template; where
   * they differ, the new one counts.
   */
  static MapNode accountAlias(MapNode spec) {
    String name = spec.text("serviceAccountName");
    String alias = spec.text("serviceAccount");
    if (name.equals(alias)) {
      return spec;
    }
    Node account = Node.text(name.isEmpty() ? alias : name);
    return spec.with("serviceAccountName", account).with("serviceAccount", account);
  }

  static MapNode pod(MapNode pod) {
    return Values.edited(pod, "spec", PodRules::ofPodItself);
  }

  private static MapNode ofPodItself(MapNode spec) {
    MapNode next = Values.ifUnset(spec, "enableServiceLinks", Node.Bool.TRUE);
    boolean hostNetwork = spec.get("hostNetwork") == Node.Bool.TRUE;
    for (String list : new String[] {"containers", "initContainers"}) {
      next = Values.editedItems(next, list, PodRules::requestsFromLimits);
      if (hostNetwork) {
        next = Values.editedItems(next, list, PodRules::hostPorts);
      }
    }
    return next.get("resources") instanceof MapNode resources
        ? next.with("resources", wholePod(resources, next))
        : next;
  }

  private static MapNode requestsFromLimits(MapNode container) {
    MapNode limits = container.map("resources").map("limits");
    return limits.isEmpty()
        ? container
        : Values.edited(
            container,
            "resources",
            resources ->
                Values.edited(
                    resources, "requests", requests -> Values.filledFrom(requests, limits)));
  }

  /**
   * The resources of a pod as a whole that has some: it may use the huge pages of its containers
   * unless it says so itself, and with limits it asks for what its containers ask for, else for its
   * limits (KEP-2837).
   */
  private static MapNode wholePod(MapNode resources, MapNode spec) {
    MapNode requests = resources.map("requests");
    MapNode limits = resources.map("limits");
    if (requests.isEmpty() && limits.isEmpty()) {
      return resources;
    }
    MapNode may = limits;
    for (Map.Entry<String, Quantity> total : ContainerTotals.of(spec, "limits").entrySet()) {
      String resource = total.getKey();
      if (isHugePages(resource) && !requests.has(resource) && !may.has(resource)) {
        may = may.with(resource, Node.text(total.getValue().toString()));
      }
    }
    MapNode next = may == limits ? resources : resources.with("limits", may);
    MapNode asks = may.isEmpty() ? requests : wholeRequests(requests, may, spec);
    return asks == requests ? next : next.with("requests", asks);
  }

  private static MapNode wholeRequests(MapNode requests, MapNode limits, MapNode spec) {
    MapNode asks = requests;
    for (Map.Entry<String, Quantity> total : ContainerTotals.of(spec, "requests").entrySet()) {
      if (OF_PODS.contains(total.getKey()) && !asks.has(total.getKey())) {
        asks = asks.with(total.getKey(), Node.text(total.getValue().toString()));
      }
    }
    for (int i = 0; i < limits.size(); i++) {
      String resource = limits.keyAt(i);
      if (!asks.has(resource) && (OF_PODS.contains(resource) || isHugePages(resource))) {
        asks = asks.with(resource, limits.valueAt(i));
      }
    }
    return asks;
  }

  private static boolean isHugePages(String resource) {
    return resource.startsWith("hugepages-");
  }

  private static MapNode hostPorts(MapNode container) {
    return Values.editedItems(
        container,
        "ports",
        port -> {
          boolean unset = !(port.get("hostPort") instanceof Node.Int host) || host.value() == 0;
          Node own = port.get("containerPort");
          return unset && own != null ? port.with("hostPort", own) : port;
        });
  }

  /** What a container may use unless it says otherwise, each bound from the next looser one. */
  static MapNode limitRangeItem(MapNode item) {
    if (!item.text("type").equals("Container")) {
      return item;
    }
    MapNode limits = Values.filledFrom(item.map("default"), item.map("max"));
    MapNode requests =
        Values.filledFrom(Values.filledFrom(item.map("defaultRequest"), limits), item.map("min"));
    MapNode next = limits.isEmpty() ? item : item.with("default", limits);
    return requests.isEmpty() ? next : next.with("defaultRequest", requests);
  }

  static MapNode nodeStatus(MapNode status) {
    MapNode capacity = status.map("capacity");
    return !Values.isSet(status, "allocatable") && !capacity.isEmpty()
        ? status.with("allocatable", capacity)
        : status;
  }

  static MapNode namespace(MapNode namespace) {
    String name = namespace.map("metadata").text("name");
    return name.isEmpty()
        ? namespace
        : Values.edited(
            namespace,
            "metadata",
            meta ->
                Values.edited(
                    meta,
                    "labels",
                    labels ->
                        Values.ifUnset(labels, "kubernetes.io/metadata.name", Node.text(name))));
  }
}
