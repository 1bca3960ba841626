package dev.keelson.schema.table;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.HostPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Tables of the kinds of networking. */
final class NetworkTables {

  private static final String DEFAULT_CLASS = "ingressclass.kubernetes.io/is-default-class";
  private static final String NONE = "<none>";
  private static final int SHOWN = 3;

  private NetworkTables() {}

  static void addTo(TableRows tables) {
    tables.put("", "Service", service());
    tables.put("", "Endpoints", endpoints());
    tables.put("discovery.k8s.io", "EndpointSlice", endpointSlice());
    tables.put("networking.k8s.io", "Ingress", ingress());
    tables.put("networking.k8s.io", "IngressClass", ingressClass());
    tables.put(
        "networking.k8s.io",
        "NetworkPolicy",
        Columns.named()
            .text("Pod-Selector", "Labels of the pods that the policy is about.")
            .age()
            .reading("spec.podSelector")
            .of(
                (object, row) ->
                    row.name(object)
                        .text(Text.selector(object.map("spec").map("podSelector")))
                        .age(object)));
    tables.put(
        "networking.k8s.io",
        "IPAddress",
        Columns.named()
            .text("ParentRef", "Object that the address belongs to.")
            .reading("spec.parentRef")
            .of((object, row) -> row.name(object).text(parent(object.map("spec")))));
    tables.put(
        "networking.k8s.io",
        "ServiceCIDR",
        Columns.named()
            .text("CIDRs", "Ranges from which services get their addresses.")
            .age()
            .reading("spec.cidrs")
            .of(
                (object, row) ->
                    row.name(object)
                        .text(String.join(",", Text.texts(object.map("spec").items("cidrs"))))
                        .age(object)));
  }

  private static TableDefinition service() {
    return Columns.named()
        .text("Type", "How the service is reached.")
        .text("Cluster-IP", "Address inside the cluster.")
        .text("External-IP", "Addresses from outside.")
        .text("Port(s)", "Ports, those of the nodes, and protocols.")
        .age()
        .wideSelector()
        .reading(
            "spec.type",
            "spec.clusterIP",
            "spec.clusterIPs",
            "spec.externalIPs",
            "spec.externalName",
            "spec.ports",
            "spec.selector",
            "status.loadBalancer.ingress.ip",
            "status.loadBalancer.ingress.hostname")
        .of(
            (object, row) -> {
              MapNode spec = object.map("spec");
              List<String> all = Text.texts(spec.items("clusterIPs"));
              row.name(object)
                  .text(spec.text("type"))
                  .textOrNone(all.isEmpty() ? spec.text("clusterIP") : all.getFirst())
                  .text(externalAddresses(spec, object.map("status").map("loadBalancer")))
                  .textOrNone(ports(spec))
                  .age(object)
                  .text(Text.labels(spec.map("selector")));
            });
  }

  private static String ports(MapNode spec) {
    List<String> ports = new ArrayList<>();
    for (MapNode port : spec.maps("ports")) {
      long nodePort = Text.number(port, "nodePort");
      ports.add(
          Text.number(port, "port")
              + (nodePort > 0 ? ":" + nodePort : "")
              + "/"
              + port.text("protocol"));
    }
    return String.join(",", ports);
  }

  private static String externalAddresses(MapNode spec, MapNode loadBalancer) {
    List<String> external = Text.texts(spec.items("externalIPs"));
    return switch (spec.text("type")) {
      case "ClusterIP", "NodePort" -> external.isEmpty() ? NONE : String.join(",", external);
      case "LoadBalancer" -> {
        List<String> all = new ArrayList<>(loadBalancers(loadBalancer));
        all.addAll(external);
        yield all.isEmpty() ? "<pending>" : String.join(",", all);
      }
      case "ExternalName" -> spec.text("externalName");
      default -> "<unknown>";
    };
  }

  /** The distinct addresses or names of a load balancer, sorted. */
  private static Set<String> loadBalancers(MapNode status) {
    Set<String> addresses = new TreeSet<>();
    for (MapNode ingress : status.maps("ingress")) {
      String address = ingress.text("ip").isEmpty() ? ingress.text("hostname") : ingress.text("ip");
      if (!address.isEmpty()) {
        addresses.add(address);
      }
    }
    return addresses;
  }

  private static TableDefinition endpoints() {
    return Columns.named()
        .text("Endpoints", "Addresses and ports that take traffic.")
        .age()
        .reading("subsets.addresses.ip", "subsets.ports.port")
        .of((object, row) -> row.name(object).text(addresses(object.items("subsets"))).age(object));
  }

  private static String addresses(List<Node> subsets) {
    if (subsets.isEmpty()) {
      return NONE;
    }
    List<String> all = new ArrayList<>();
    for (MapNode subset : Node.maps(subsets)) {
      List<MapNode> addresses = subset.maps("addresses");
      List<Node> ports = subset.items("ports");
      if (ports.isEmpty()) {
        addresses.forEach(address -> all.add(address.text("ip")));
      }
      for (MapNode port : Node.maps(ports)) {
        String number = Long.toString(Text.number(port, "port"));
        addresses.forEach(address -> all.add(HostPort.join(address.text("ip"), number)));
      }
    }
    return Text.firsts(all, SHOWN, ",");
  }

  private static TableDefinition endpointSlice() {
    return Columns.named()
        .text("AddressType", "Kind of the addresses.")
        .text("Ports", "Ports that take traffic.")
        .text("Endpoints", "Addresses that take traffic.")
        .age()
        .reading("addressType", "ports.port", "ports.name", "endpoints.addresses")
        .of(
            (object, row) ->
                row.name(object)
                    .text(object.text("addressType"))
                    .textOr(slicePorts(object.items("ports")), "<unset>")
                    .textOr(sliceAddresses(object.items("endpoints")), "<unset>")
                    .age(object));
  }

  private static String slicePorts(List<Node> ports) {
    List<String> all = new ArrayList<>();
    for (MapNode port : Node.maps(ports)) {
      all.add(Text.value(port.get("port"), port.has("name") ? port.text("name") : "*"));
    }
    return Text.firsts(all, SHOWN, ",");
  }

  private static String sliceAddresses(List<Node> endpoints) {
    List<String> all = new ArrayList<>();
    for (MapNode endpoint : Node.maps(endpoints)) {
      all.addAll(Text.texts(endpoint.items("addresses")));
    }
    return Text.firsts(all, SHOWN, ",");
  }

  private static TableDefinition ingress() {
    return Columns.named()
        .text("Class", "Class whose controller serves it.")
        .text("Hosts", "Host names that are routed.")
        .text("Address", "Addresses of the load balancer.")
        .text("Ports", "Ports of the load balancer.")
        .age()
        .reading(
            "spec.ingressClassName",
            "spec.rules.host",
            "spec.tls.#",
            "status.loadBalancer.ingress.ip",
            "status.loadBalancer.ingress.hostname")
        .of(
            (object, row) -> {
              MapNode spec = object.map("spec");
              row.name(object)
                  .pointer(spec, "ingressClassName", NONE)
                  .text(hosts(spec.items("rules")))
                  .text(String.join(",", loadBalancers(object.map("status").map("loadBalancer"))))
                  .text(spec.items("tls").isEmpty() ? "80" : "80, 443")
                  .age(object);
            });
  }

  /** Rules without a host count among those that are not shown, as in Kubernetes. */
  private static String hosts(List<Node> rules) {
    List<String> shown = new ArrayList<>();
    boolean more = false;
    for (MapNode rule : Node.maps(rules)) {
      more |= shown.size() == SHOWN;
      if (!more && !rule.text("host").isEmpty()) {
        shown.add(rule.text("host"));
      }
    }
    if (shown.isEmpty()) {
      return "*";
    }
    String text = String.join(",", shown);
    return more ? text + " + " + (rules.size() - SHOWN) + " more..." : text;
  }

  private static TableDefinition ingressClass() {
    return Columns.named()
        .text("Controller", "Controller that serves the class.")
        .text("Parameters", "Object with further settings.")
        .age()
        .reading("metadata.annotations", "spec.controller", "spec.parameters")
        .of(
            (object, row) -> {
              MapNode spec = object.map("spec");
              row.text(Text.marked(object, DEFAULT_CLASS))
                  .text(spec.text("controller"))
                  .text(spec.has("parameters") ? parameters(spec.map("parameters")) : NONE)
                  .age(object);
            });
  }

  private static String parameters(MapNode reference) {
    return reference.text("kind")
        + (reference.has("apiGroup") ? "." + reference.text("apiGroup") : "")
        + "/"
        + reference.text("name");
  }

  private static String parent(MapNode spec) {
    if (!spec.has("parentRef")) {
      return NONE;
    }
    MapNode reference = spec.map("parentRef");
    String group = reference.text("group");
    String namespace = reference.text("namespace");
    String resource = reference.text("resource") + (group.isEmpty() ? "" : "." + group);
    return resource.toLowerCase(Locale.ROOT)
        + "/"
        + (namespace.isEmpty() ? "" : namespace + "/")
        + reference.text("name");
  }
}
