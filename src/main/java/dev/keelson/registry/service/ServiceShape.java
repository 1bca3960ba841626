package dev.keelson.registry.service;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupVersion;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.IpAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Fields of a Service that an update keeps when they are absent, and fields that it drops when the
 * type changes (source: Kubernetes' patchAllocatedValues, NormalizeClusterIPs and
 * dropTypeDependentFields).
 */
final class ServiceShape {

  private ServiceShape() {}

  static boolean hasAddress(MapNode spec) {
    return !spec.text("type").equals("ExternalName");
  }

  static boolean headless(MapNode spec) {
    return spec.text("clusterIP").equals("None");
  }

  static boolean hasNodePorts(MapNode spec) {
    return switch (spec.text("type")) {
      case "NodePort" -> true;
      case "LoadBalancer" -> spec.get("allocateLoadBalancerNodePorts") != Node.Bool.FALSE;
      default -> false;
    };
  }

  static boolean mayHaveNodePorts(MapNode spec) {
    return spec.text("type").equals("NodePort") || spec.text("type").equals("LoadBalancer");
  }

  /** Whether traffic from outside of the cluster reaches the Service by one of its fields. */
  private static boolean externallyAccessible(MapNode spec) {
    return mayHaveNodePorts(spec)
        || (spec.text("type").equals("ClusterIP") && !spec.items("externalIPs").isEmpty());
  }

  static boolean hasHealthCheckPort(MapNode spec) {
    return spec.text("type").equals("LoadBalancer")
        && spec.text("externalTrafficPolicy").equals("Local");
  }

  static long nodePort(Node port) {
    return port instanceof MapNode map && map.get("nodePort") instanceof Node.Int number
        ? number.value()
        : 0;
  }

  static long healthCheckPort(MapNode spec) {
    return spec.get("healthCheckNodePort") instanceof Node.Int number ? number.value() : 0;
  }

  /**
   * Whether addresses, families and policy are consistent (source:
   * ValidateServiceClusterIPsRelatedFields). If not, nothing is allocated, and validation reports
   * the causes.
   */
  static boolean coherent(MapNode spec) {
    String first = spec.text("clusterIP");
    List<String> addresses = texts(spec, "clusterIPs");
    boolean inStep = addresses.isEmpty() ? first.isEmpty() : addresses.getFirst().equals(first);
    List<String> families = texts(spec, "ipFamilies");
    return inStep
        && (addresses.equals(List.of("None")) || ofFamilies(addresses, families))
        && Set.of("IPv4", "IPv6").containsAll(families)
        && families.size() == Set.copyOf(families).size()
        && Set.of("", "SingleStack", "PreferDualStack", "RequireDualStack")
            .contains(spec.text("ipFamilyPolicy"));
  }

  /** Whether at most two texts are addresses of different families, in the order of families. */
  private static boolean ofFamilies(List<String> addresses, List<String> families) {
    Set<String> found = new HashSet<>();
    for (int i = 0; i < addresses.size(); i++) {
      String family = family(addresses.get(i));
      boolean expected = i >= families.size() || families.get(i).equals(family);
      if (family.isEmpty() || !expected || !found.add(family)) {
        return false;
      }
    }
    return true;
  }

  /** The family of an address; empty if it is none. */
  static String family(String address) {
    return IpAddress.tryParse(address).map(ip -> ip.family().toString()).orElse("");
  }

  /** The answer to a Service with one wrong field. */
  static ApiException invalid(String name, FieldCause cause) {
    return ApiException.invalid(GroupVersion.CORE_V1.kind("Service"), name, List.of(cause));
  }

  /** A cause that shows a list of addresses. */
  static FieldCause invalidAddresses(String field, List<String> addresses, String detail) {
    return new FieldCause(
        "FieldValueInvalid",
        "Invalid value: [\"" + String.join("\",\"", addresses) + "\"]: " + detail,
        field);
  }

  /** The cluster IPs of a stored Service in canonical form; without None. */
  static Set<String> addresses(MapNode spec) {
    Set<String> addresses = new LinkedHashSet<>();
    List<String> texts = new ArrayList<>(texts(spec, "clusterIPs"));
    texts.addFirst(spec.text("clusterIP"));
    for (String text : texts) {
      IpAddress.tryParse(text).ifPresent(address -> addresses.add(address.toString()));
    }
    return addresses;
  }

  /** The node ports of a Service, each once, with the one for health checks. */
  static Set<Integer> ports(MapNode spec) {
    Set<Integer> ports = new LinkedHashSet<>();
    spec.items("ports").forEach(port -> ports.add((int) nodePort(port)));
    ports.add((int) healthCheckPort(spec));
    ports.remove(0);
    return ports;
  }

  /** Sets {@code clusterIP} and {@code clusterIPs} of a new Service from each other. */
  static MapNode normalized(MapNode spec) {
    String first = spec.text("clusterIP");
    return !first.isEmpty() && spec.items("clusterIPs").isEmpty()
        ? spec.with("clusterIPs", Node.texts(List.of(first)))
        : spec;
  }

  static MapNode carriedOver(MapNode spec, MapNode old) {
    MapNode next = spec;
    if (hasAddress(old) && hasAddress(next)) {
      next = withAddresses(next, old);
    }
    // a load balancer that allocates none neither keeps nor hands on those that are left out
    if (hasNodePorts(old) && hasNodePorts(next)) {
      next = withNodePorts(next, old);
    }
    if (hasHealthCheckPort(old) && hasHealthCheckPort(next) && healthCheckPort(next) == 0) {
      next = copied(next, old, "healthCheckNodePort");
    }
    return withoutOtherTypes(inStep(next, old), old);
  }

  /** The families are left to {@link ServiceFamilies}, which infers them from the addresses. */
  private static MapNode withAddresses(MapNode spec, MapNode old) {
    MapNode next = spec.text("clusterIP").isEmpty() ? copied(spec, old, "clusterIP") : spec;
    return next.items("clusterIPs").isEmpty() ? copied(next, old, "clusterIPs") : next;
  }

  /** Follows a change of the first address or of the list in the other one. */
  private static MapNode inStep(MapNode spec, MapNode old) {
    String first = spec.text("clusterIP");
    String before = old.text("clusterIP");
    boolean sameList = spec.items("clusterIPs").equals(old.items("clusterIPs"));
    if (first.equals(before)) {
      return normalized(
          spec.items("clusterIPs").isEmpty() ? copied(spec, old, "clusterIPs") : spec);
    }
    if (!sameList) {
      return spec;
    }
    return first.isEmpty()
        ? spec.without("clusterIPs")
        : spec.with("clusterIPs", Node.texts(List.of(first)));
  }

  private static MapNode withNodePorts(MapNode spec, MapNode old) {
    Map<String, Long> byName = new HashMap<>();
    Set<Long> before = new HashSet<>();
    for (Node item : old.items("ports")) {
      if (item instanceof MapNode port) {
        byName.put(port.text("name"), nodePort(port));
        before.add(nodePort(port));
      }
    }
    Set<Long> used = new HashSet<>();
    spec.items("ports").forEach(port -> used.add(nodePort(port)));
    used.retainAll(before);
    return withPorts(
        spec,
        port -> {
          long known = byName.getOrDefault(port.text("name"), 0L);
          return nodePort(port) == 0 && known != 0 && used.add(known)
              ? port.with("nodePort", new Node.Int(known))
              : port;
        });
  }

  /** Drops the fields of the old type that the client sent back unchanged. */
  private static MapNode withoutOtherTypes(MapNode spec, MapNode old) {
    MapNode next = spec;
    if (hasAddress(old) && !hasAddress(next)) {
      next = withoutAddresses(next, old);
    }
    if (mayHaveNodePorts(old) && !mayHaveNodePorts(next) && hasNoOtherPorts(next, old)) {
      next = withPorts(next, port -> port.without("nodePort"));
    }
    if (externallyAccessible(old) && !externallyAccessible(next)) {
      next = withoutSame(next, old, "externalTrafficPolicy");
    }
    if (hasHealthCheckPort(old) && !hasHealthCheckPort(next)) {
      next = withoutSame(next, old, "healthCheckNodePort");
    }
    if (old.text("type").equals("LoadBalancer") && !next.text("type").equals("LoadBalancer")) {
      next = withoutSame(next, old, "allocateLoadBalancerNodePorts");
      next = withoutSame(next, old, "loadBalancerClass");
    }
    return next;
  }

  private static MapNode withoutAddresses(MapNode spec, MapNode old) {
    MapNode next = spec;
    if (spec.text("clusterIP").equals(old.text("clusterIP"))
        && spec.items("clusterIPs").equals(old.items("clusterIPs"))) {
      next = next.without("clusterIP").without("clusterIPs");
    }
    return withoutSame(withoutSame(next, old, "ipFamilies"), old, "ipFamilyPolicy");
  }

  /** Whether the client has added no node port. */
  private static boolean hasNoOtherPorts(MapNode spec, MapNode old) {
    Set<Long> before = new HashSet<>();
    before.add(0L);
    old.items("ports").forEach(port -> before.add(nodePort(port)));
    return spec.items("ports").stream().allMatch(port -> before.contains(nodePort(port)));
  }

  private static MapNode withoutSame(MapNode spec, MapNode old, String field) {
    return Objects.equals(spec.get(field), old.get(field)) ? spec.without(field) : spec;
  }

  private static MapNode copied(MapNode spec, MapNode old, String field) {
    Node value = old.get(field);
    return value == null ? spec : spec.with(field, value);
  }

  /** The spec with every port edited. */
  static MapNode withPorts(MapNode spec, UnaryOperator<MapNode> edit) {
    if (spec.items("ports").isEmpty()) {
      return spec;
    }
    List<Node> ports = new ArrayList<>();
    for (Node item : spec.items("ports")) {
      ports.add(item instanceof MapNode port ? edit.apply(port) : item);
    }
    return spec.with("ports", new Node.Items(ports));
  }

  static List<String> texts(MapNode spec, String field) {
    List<String> texts = new ArrayList<>();
    for (Node item : spec.items(field)) {
      if (item instanceof Node.Text text) {
        texts.add(text.value());
      }
    }
    return texts;
  }
}
