package dev.keelson.schema.defaulting;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;

/** What depends on other fields in Services (source: Kubernetes' SetDefaults_Service). */
final class ServiceRules {

  private ServiceRules() {}

  static MapNode spec(MapNode given) {
    String type = Values.text(given, "type", "ClusterIP");
    MapNode spec = affinity(given);
    boolean ofNodes = type.equals("NodePort") || type.equals("LoadBalancer");
    boolean internal = type.equals("ClusterIP");
    if (ofNodes || (internal && !spec.items("externalIPs").isEmpty())) {
      spec = Values.ifNoText(spec, "externalTrafficPolicy", "Cluster");
    }
    if (ofNodes || internal) {
      spec = Values.ifUnset(spec, "internalTrafficPolicy", Node.text("Cluster"));
    }
    if (type.equals("LoadBalancer")) {
      spec = Values.ifUnset(spec, "allocateLoadBalancerNodePorts", Node.Bool.TRUE);
    }
    return spec;
  }

  private static MapNode affinity(MapNode spec) {
    return switch (Values.text(spec, "sessionAffinity", "None")) {
      case "None" -> spec.without("sessionAffinityConfig");
      case "ClientIP" ->
          Values.edited(
              spec,
              "sessionAffinityConfig",
              config ->
                  Values.edited(
                      config,
                      "clientIP",
                      client -> Values.ifUnset(client, "timeoutSeconds", 10800)));
      default -> spec;
    };
  }

  static MapNode port(MapNode port) {
    Node own = port.get("port");
    boolean unset =
        switch (port.get("targetPort")) {
          case null -> true;
          case Node.Int number -> number.value() == 0;
          case Node.Text text -> text.value().isEmpty();
          default -> false;
        };
    return unset && own != null ? port.with("targetPort", own) : port;
  }

  /** An address of a load balancer is, unless it says otherwise, one that nodes catch. */
  static MapNode ingress(MapNode ingress) {
    return Values.hasText(ingress, "ip")
        ? Values.ifUnset(ingress, "ipMode", Node.text("VIP"))
        : ingress;
  }
}
