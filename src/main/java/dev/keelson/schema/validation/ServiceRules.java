package dev.keelson.schema.validation;

import dev.keelson.object.Node;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Services, and the endpoints behind them. */
final class ServiceRules {

  private static final String ONLY_BALANCED = "may only be used when `type` is 'LoadBalancer'";
  private static final String ALIAS = "may not be set for ExternalName services";
  private static final String SOURCE_RANGES =
      "service.beta.kubernetes.io/load-balancer-source-ranges";
  private static final int DAY_SECONDS = 86400;

  private ServiceRules() {}

  static void addTo(Map<String, TypeRules> rules) {
    rules.put("/Service", new Service());
    rules.put("/Endpoints", new Endpoints());
    rules.put("discovery.k8s.io/EndpointSlice", new EndpointSlice());
  }

  /** Complains about an address that cannot be a service's or a pod's. */
  static void address(Value ip) {
    String text = ip.text();
    if (!Formats.isIpv4(text) && !Formats.isIpv6(text)) {
      Labels.orEmpty(ip).invalid("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
      return;
    }
    if (text.equals("0.0.0.0") || text.equals("::")) {
      ip.invalid("may not be unspecified (" + text + ")");
    } else if (text.startsWith("127.") || text.equals("::1")) {
      ip.invalid("may not be in the loopback range (127.0.0.0/8, ::1/128)");
    } else if (text.startsWith("169.254.") || text.startsWith("fe80:")) {
      ip.invalid("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
    } else if (text.startsWith("224.0.0.") || text.startsWith("ff02:")) {
      ip.invalid("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
    }
  }

  /** As {@link #address}; what is no address at all is told twice. */
  private static void specialAddress(Value ip) {
    address(ip);
    if (!Formats.isIpv4(ip.text()) && !Formats.isIpv6(ip.text())) {
      Labels.orEmpty(ip).invalid("must be a valid IP address");
    }
  }

  /**
   * Whether these are the endpoints of this server itself. It may listen on the loopback address
   * alone, on a developer's machine.
   */
  private static boolean ofThisServer(Value object) {
    return object.get("metadata", "name").is("kubernetes")
        && object.get("metadata", "namespace").is("default");
  }

  private record Service() implements TypeRules {
    @Override
    public void check(Value object) {
      Value spec = object.get("spec");
      String type = spec.get("type").filled() ? spec.get("type").text() : "ClusterIP";
      boolean headless = spec.get("clusterIP").is("None");
      Value ports = spec.get("ports");
      if (ports.size() == 0 && !headless && !type.equals("ExternalName")) {
        ports.required();
      }
      type(spec, type, headless);
      ports(ports, type);
      Labels.map(spec.get("selector"));
      affinity(spec);
      clusterIps(spec, type);
      for (Value ip : spec.get("externalIPs")) {
        address(ip);
      }
      balancer(spec, type);
      annotations(object.get("metadata", "annotations"), spec, type);
      traffic(spec, type);
    }

    private static void type(Value spec, String type, boolean headless) {
      switch (type) {
        case "LoadBalancer", "NodePort" -> {
          if (headless) {
            spec.get("clusterIPs")
                .at(0)
                .invalid("None", "may not be set to 'None' for " + type + " services");
          }
        }
        case "ExternalName" -> {
          for (String field : new String[] {"clusterIPs", "ipFamilies", "ipFamilyPolicy"}) {
            if (spec.get(field).filled()) {
              spec.get(field).forbidden(ALIAS);
            }
          }
          if (spec.get("clusterIP").filled() && !spec.get("clusterIPs").filled()) {
            spec.get("clusterIPs").forbidden(ALIAS);
          }
          Value name = spec.get("externalName").needed();
          String text = name.text();
          String dotless = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
          if (!dotless.isEmpty()) {
            name.holding(Node.text(dotless)).dnsSubdomain();
          }
        }
        default -> {}
      }
    }

    private static void ports(Value ports, String type) {
      Set<String> seen = null;
      boolean nodePorts = type.equals("NodePort") || type.equals("LoadBalancer");
      for (Value port : ports) {
        Value name = port.get("name");
        if (ports.size() > 1) {
          name.needed();
        }
        name.dnsLabel();
        ContainerRules.zeroOr(port.get("port")).port();
        Value target = port.get("targetPort");
        if (target.filled()) {
          ContainerRules.portReference(target);
        }
        port.get("appProtocol").qualifiedName();
        Value nodePort = port.get("nodePort");
        if (nodePort.filled() && !nodePorts) {
          nodePort.forbidden("may not be used when `type` is '" + type + "'");
        }
        if (ports.size() > 1) {
          String protocol = port.get("protocol").filled() ? port.get("protocol").text() : "TCP";
          long number = port.get("port").number();
          seen = seen == null ? new HashSet<>() : seen;
          if (!seen.add(protocol + "/" + number)) {
            duplicate(port, protocol, number);
          }
          if (nodePort.filled() && !seen.add("node/" + protocol + "/" + nodePort.number())) {
            nodePort.duplicate();
          }
        }
      }
      ports.uniqueBy("name");
    }

    private static void duplicate(Value port, String protocol, long number) {
      port.holding(
              dev.keelson.object.MapNode.builder(2)
                  .put("protocol", Node.text(protocol))
                  .put("port", new Node.Int(number))
                  .build())
          .duplicate();
    }

    private static void affinity(Value spec) {
      Value config = spec.get("sessionAffinityConfig");
      if (spec.get("sessionAffinity").is("ClientIP")) {
        Value timeout = config.get("clientIP", "timeoutSeconds");
        if (timeout.present() && (timeout.number() <= 0 || timeout.number() > DAY_SECONDS)) {
          timeout.invalid("must be greater than 0 and less than " + DAY_SECONDS);
        }
      } else if (config.present()) {
        config.forbidden("must not be set when session affinity is None");
      }
    }

    private static void clusterIps(Value spec, String type) {
      Value first = spec.get("clusterIP");
      Value all = spec.get("clusterIPs");
      if (type.equals("ExternalName")) {
        return;
      }
      if (all.size() > 0 && !first.filled()) {
        all.invalid("must be empty when `clusterIP` is not specified");
      } else if (all.size() > 0 && !first.sameAs(all.at(0))) {
        all.invalid("first value must match `clusterIP`");
      }
      Value families = spec.get("ipFamilies");
      families.unique();
      boolean headless = all.size() > 0 && all.at(0).is("None");
      boolean wrong = headless && all.size() > 1;
      if (wrong) {
        all.invalid("'None' must be the first and only value");
      }
      Value each = all.size() > 0 ? all : spec.get("clusterIPs").holding(one(first));
      for (int i = 0; i < each.size(); i++) {
        Value ip = each.at(i);
        if ((i > 0 || !ip.is("None")) && !Formats.IP.apply(ip.text()).isEmpty()) {
          ip.invalid(Formats.IP.apply(ip.text()));
          wrong = true;
        }
      }
      if (all.size() > 2) {
        all.invalid("may only hold up to 2 values");
      }
      if (wrong) {
        return;
      }
      if (all.size() == 2 && Formats.isIpv4(all.at(0).text()) == Formats.isIpv4(all.at(1).text())) {
        all.invalid("may specify no more than one IP for each IP family");
      }
      for (int i = 0; i < Math.min(all.size(), families.size()); i++) {
        Value ip = all.at(i);
        if (!headless && Formats.isIpv4(ip.text()) != families.at(i).is("IPv4")) {
          ip.invalid(
              "expected an "
                  + families.at(i).text()
                  + " value as indicated by `ipFamilies["
                  + i
                  + "]`");
        }
      }
    }

    private static void annotations(Value annotations, Value spec, String type) {
      Value mode = annotations.key("service.kubernetes.io/topology-mode");
      Value hints = annotations.key("service.kubernetes.io/topology-aware-hints");
      if (mode.present() && hints.present() && !mode.sameAs(hints)) {
        mode.invalid(
            "must match annotations[service.kubernetes.io/topology-aware-hints] when both are"
                + " specified");
      }
      Value ranges = annotations.key(SOURCE_RANGES);
      if (ranges.absent() || spec.get("loadBalancerSourceRanges").size() > 0) {
        return;
      }
      if (!type.equals("LoadBalancer")) {
        ranges.forbidden(ONLY_BALANCED);
      }
      if (!ranges.text().isBlank()) {
        for (String range : ranges.text().split(",", -1)) {
          if (!Formats.isCidr(range.strip())) {
            ranges.invalid(
                range.strip(), "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
          }
        }
      }
    }

    private static Node one(Value first) {
      return first.filled() ? Node.texts(java.util.List.of(first.text())) : Node.Items.EMPTY;
    }

    private static void balancer(Value spec, String type) {
      boolean balanced = type.equals("LoadBalancer");
      // Kubernetes writes it with a capital
      Value ranges =
          spec.get("LoadBalancerSourceRanges").holding(spec.get("loadBalancerSourceRanges").node());
      if (ranges.size() > 0 && !balanced) {
        ranges.forbidden(ONLY_BALANCED);
      }
      for (Value range : ranges) {
        String cidr = range.text().strip();
        if (!Formats.isCidr(cidr)) {
          range.invalid("must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
        }
      }
      if (spec.get("allocateLoadBalancerNodePorts").present() && !balanced) {
        spec.get("allocateLoadBalancerNodePorts").forbidden(ONLY_BALANCED);
      }
      Value balancerClass = spec.get("loadBalancerClass");
      if (balancerClass.present()) {
        if (!balanced) {
          balancerClass.forbidden(ONLY_BALANCED);
        }
        balancerClass.qualifiedName();
      }
    }

    private static void traffic(Value spec, String type) {
      boolean external =
          type.equals("LoadBalancer")
              || type.equals("NodePort")
              || type.equals("ClusterIP") && spec.get("externalIPs").size() > 0;
      Value policy = spec.get("externalTrafficPolicy");
      if (policy.filled() && !external) {
        policy.invalid("may only be set for externally-accessible services");
      }
      Value check = spec.get("healthCheckNodePort");
      if (check.filled() && !(type.equals("LoadBalancer") && policy.is("Local"))) {
        check.invalid(
            "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
      }
    }

    @Override
    public boolean tellsOfTheChangeFirst() {
      return true;
    }

    @Override
    public void changed(Value object, Value old) {
      ServiceUpdates.check(object.get("spec"), old.get("spec"));
    }

    @Override
    public void statusChanged(Value object, Value old) {
      Value balanced = object.get("status", "loadBalancer", "ingress");
      if (balanced.size() > 0 && !object.get("spec", "type").is("LoadBalancer")) {
        balanced.forbidden("may only be used when `spec.type` is \"LoadBalancer\"");
        return;
      }
      balancers(balanced);
      Conditions.check(object.get("status", "conditions"));
    }
  }

  /** Where traffic comes in from outside, as a status tells it. */
  static void balancers(Value balancers) {
    for (Value ingress : balancers) {
      Value ip = ingress.get("ip").as(Formats.IP);
      Value mode = ingress.get("ipMode");
      if (mode.present() && !ip.filled()) {
        mode.forbidden("may not be specified when `ip` is not set");
      } else if (mode.present()) {
        mode.oneOf("Proxy", "VIP");
      }
      Value host = ingress.get("hostname");
      host.dnsSubdomain();
      if (host.filled() && Formats.IP.apply(host.text()).isEmpty()) {
        host.invalid("must be a DNS name, not an IP address");
      }
    }
  }

  private record Endpoints() implements TypeRules {
    @Override
    public void check(Value object) {
      for (Value subset : object.get("subsets")) {
        if (subset.get("addresses").size() + subset.get("notReadyAddresses").size() == 0) {
          subset.required("must specify `addresses` or `notReadyAddresses`");
        }
        for (String list : new String[] {"addresses", "notReadyAddresses"}) {
          for (Value address : subset.get(list)) {
            if (!ofThisServer(object)) {
              specialAddress(address.get("ip"));
            }
            address.get("hostname").dnsLabel();
            address.get("nodeName").dnsSubdomain();
          }
        }
        Value ports = subset.get("ports");
        for (Value port : ports) {
          if (ports.size() > 1) {
            port.get("name").needed();
          }
          port.get("name").dnsLabel();
          ContainerRules.zeroOr(port.get("port")).port();
          port.get("appProtocol").qualifiedName();
        }
      }
    }
  }

  private record EndpointSlice() implements TypeRules {
    private static final int MOST_ADDRESSES = 100;
    private static final int MOST_ENDPOINTS = 1000;
    private static final int MOST_PORTS = 20000;

    @Override
    public void check(Value object) {
      Value endpoints = object.get("endpoints");
      if (endpoints.size() > MOST_ENDPOINTS) {
        endpoints.tooMany(MOST_ENDPOINTS);
      }
      for (Value endpoint : endpoints) {
        if (!ofThisServer(object)) {
          endpoint(endpoint, object.get("addressType").text());
        }
      }
      Value ports = object.get("ports");
      if (ports.size() > MOST_PORTS) {
        ports.tooMany(MOST_PORTS);
      }
      for (Value port : ports) {
        port.get("name").dnsLabel();
        port.get("port").port();
        port.get("appProtocol").qualifiedName();
      }
      Value unnamed = null;
      for (Value port : ports) {
        if (!port.get("name").filled()) {
          if (unnamed != null) {
            port.get("name").duplicate("");
          }
          unnamed = port;
        }
      }
      ports.uniqueBy("name");
    }

    private static void endpoint(Value endpoint, String type) {
      Value addresses = endpoint.get("addresses");
      if (addresses.size() > MOST_ADDRESSES) {
        addresses.tooMany(MOST_ADDRESSES);
      }
      for (Value address : addresses) {
        switch (type) {
          case "IPv4" ->
              family(address, Formats.isIpv4(address.text()), "must be a valid IPv4 address");
          case "IPv6" ->
              family(address, Formats.isIpv6(address.text()), "must be a valid IPv6 address");
          case "FQDN" -> address.as(Formats.DOMAIN_NAME);
          default -> {}
        }
      }
      endpoint.get("nodeName").dnsSubdomain();
      endpoint.get("zone").as(Formats.LABEL_VALUE);
      endpoint.get("hostname").dnsLabel();
    }

    private static void family(Value address, boolean fits, String detail) {
      if (!fits) {
        address.invalid(detail);
      }
      if (Formats.IP.apply(address.text()).isEmpty()) {
        address(address);
      } else {
        address.invalid("must be a valid IP address");
      }
    }

    @Override
    public void changed(Value object, Value old) {
      object.get("addressType").immutable(old.get("addressType"));
    }
  }
}
