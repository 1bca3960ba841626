package dev.keelson.schema.validation.core;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.IntOrStrings;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.ValueSet;
import dev.keelson.value.IpAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Services. */
final class ServiceRules implements KindRules {
  private static final String ONLY_BALANCED = "may only be used when `type` is 'LoadBalancer'";
  private static final String ALIAS = "may not be set for ExternalName services";
  private static final String SOURCE_RANGES =
      "service.beta.kubernetes.io/load-balancer-source-ranges";
  private static final int DAY_SECONDS = 86400;

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validate(Value object) {
    Value spec = object.get("spec");
    String type = spec.get("type").filled() ? spec.get("type").text() : "ClusterIP";
    boolean headless = ServiceUpdateRules.isHeadless(spec);
    Value annotations = object.get("metadata", "annotations");
    topology(annotations);
    Value ports = spec.get("ports");
    if (ports.size() == 0 && !headless && !type.equals("ExternalName")) {
      ports.required();
    }
    type(spec, type, headless);
    ValueSet names = new ValueSet();
    for (Value port : ports) {
      port(port, names, ports.size() > 1);
    }
    Labels.validateLabels(spec.get("selector"));
    affinity(spec.declared("sessionAffinity"));
    if (!type.equals("ExternalName")) {
      clusterIps(spec);
    }
    for (Value ip : spec.get("externalIPs")) {
      int before = spec.causeCount();
      ip.orEmpty().ip();
      if (spec.causeCount() == before) {
        EndpointAddresses.validateEndpointIp(ip);
      }
    }
    spec.declared("type");
    portPairs(ports, type);
    balancer(spec, annotations, type);
    traffic(spec, type);
  }

  private static void topology(Value annotations) {
    Value mode = annotations.key("service.kubernetes.io/topology-mode");
    Value hints = annotations.key("service.kubernetes.io/topology-aware-hints");
    if (mode.present() && hints.present() && !mode.sameAs(hints)) {
      mode.invalid(
          "must match annotations[service.kubernetes.io/topology-aware-hints] when both are"
              + " specified");
    }
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
        if (spec.get("clusterIPs").size() > 0 || spec.get("clusterIP").filled()) {
          spec.get("clusterIPs").forbidden(ALIAS);
        }
        if (spec.get("ipFamilies").size() > 0) {
          spec.get("ipFamilies").forbidden(ALIAS);
        }
        if (spec.get("ipFamilyPolicy").present()) {
          spec.get("ipFamilyPolicy").forbidden(ALIAS);
        }
        Value name = spec.get("externalName");
        String text = name.text();
        String dotless = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
        if (dotless.isEmpty()) {
          name.required();
        } else {
          name.holding(Node.text(dotless)).dnsSubdomain();
        }
      }
      default -> {}
    }
  }

  private static void port(Value port, ValueSet names, boolean needsName) {
    Value name = port.get("name");
    if (name.filled()) {
      name.dnsLabel();
      if (!names.add(name.node())) {
        name.duplicate();
      }
    } else if (needsName) {
      name.required();
    }
    port.get("port").orZero().port();
    port.declared("protocol");
    // one that is not set is the port, so it is zero only with it
    if (port.get("targetPort").filled() || !port.get("port").filled()) {
      IntOrStrings.validatePortNumOrName(port.get("targetPort"));
    }
    if (port.get("appProtocol").present()) {
      Labels.validateLabelName(port.get("appProtocol"));
    }
  }

  /** A protocol and a port, of the service or of the nodes, are one port's alone. */
  private static void portPairs(Value ports, String type) {
    for (Value port : ports) {
      if (port.get("nodePort").filled() && type.equals("ClusterIP")) {
        port.get("nodePort").forbidden("may not be used when `type` is 'ClusterIP'");
      }
    }
    if (ports.size() < 2) {
      return;
    }
    Set<String> seen = new HashSet<>();
    for (Value port : ports) {
      Value nodePort = port.get("nodePort");
      if (nodePort.filled() && !seen.add("node/" + protocol(port) + "/" + nodePort.number())) {
        nodePort.duplicate();
      }
    }
    for (Value port : ports) {
      long number = port.get("port").number();
      if (!seen.add(protocol(port) + "/" + number)) {
        duplicate(port, protocol(port), number);
      }
    }
  }

  private static String protocol(Value port) {
    return port.get("protocol").filled() ? port.get("protocol").text() : "TCP";
  }

  private static void duplicate(Value port, String protocol, long number) {
    port.holding(
            MapNode.builder(2)
                .put("protocol", Node.text(protocol))
                .put("port", new Node.Int(number))
                .build())
        .duplicate();
  }

  private static void affinity(Value spec) {
    Value config = spec.get("sessionAffinityConfig");
    switch (spec.get("sessionAffinity").text()) {
      case "ClientIP" -> {
        Value timeout = config.get("clientIP", "timeoutSeconds");
        if (timeout.present() && (timeout.number() <= 0 || timeout.number() > DAY_SECONDS)) {
          timeout.invalid("must be greater than 0 and less than " + DAY_SECONDS);
        }
      }
      case "", "None" -> {
        if (config.present()) {
          config.forbidden("must not be set when session affinity is None");
        }
      }
      default -> {}
    }
  }

  private static void clusterIps(Value spec) {
    Value first = spec.get("clusterIP");
    Value all = spec.get("clusterIPs");
    if (all.size() > 0 && !first.filled()) {
      all.invalid("must be empty when `clusterIP` is not specified");
    } else if (all.size() > 0 && !first.sameAs(all.at(0))) {
      all.invalid("first value must match `clusterIP`");
    }
    Value families = spec.get("ipFamilies");
    ValueSet seen = new ValueSet();
    for (Value family : families) {
      family.oneOf("IPv4", "IPv6");
      if (!seen.add(family.node())) {
        family.duplicate();
      }
    }
    spec.declared("ipFamilyPolicy");
    boolean headless = all.size() > 0 && all.at(0).is("None");
    boolean wrong = headless && all.size() > 1;
    if (wrong) {
      all.invalid("'None' must be the first and only value");
    }
    Value each = all.size() > 0 ? all : spec.get("clusterIPs").holding(one(first));
    for (int i = 0; i < each.size(); i++) {
      Value ip = each.at(i);
      int before = ip.causeCount();
      if (i > 0 || !ip.is("None")) {
        ip.orEmpty().ip();
      }
      wrong |= ip.causeCount() > before;
    }
    if (all.size() > 2) {
      all.invalid("may only hold up to 2 values");
    }
    if (!wrong) {
      families(all, families, headless);
    }
  }

  private static void families(Value all, Value families, boolean headless) {
    if (all.size() > 1 && !ofTwoFamilies(all)) {
      all.invalid("may specify no more than one IP for each IP family");
    }
    for (int i = 0; i < Math.min(all.size(), families.size()); i++) {
      Value ip = all.at(i);
      boolean isOld = IpAddress.isIpv4(ip.text());
      String family = families.at(i).text();
      if (!headless && ((family.equals("IPv4") && !isOld) || (family.equals("IPv6") && isOld))) {
        ip.invalid("expected an " + family + " value as indicated by `ipFamilies[" + i + "]`");
      }
    }
  }

  private static boolean ofTwoFamilies(Value all) {
    boolean isOld = false;
    boolean isNew = false;
    for (Value ip : all) {
      isOld |= IpAddress.isIpv4(ip.text());
      isNew |= IpAddress.isIpv6(ip.text());
    }
    return isOld && isNew;
  }

  private static Node one(Value first) {
    return first.filled() ? Node.texts(List.of(first.text())) : Node.Items.EMPTY;
  }

  private static void balancer(Value spec, Value annotations, String type) {
    boolean balanced = type.equals("LoadBalancer");
    // Kubernetes writes it with a capital
    Value ranges =
        spec.get("LoadBalancerSourceRanges").holding(spec.get("loadBalancerSourceRanges").node());
    if (ranges.size() == 0) {
      annotatedRanges(annotations.key(SOURCE_RANGES), balanced);
    } else if (!balanced) {
      ranges.forbidden(ONLY_BALANCED);
    }
    for (Value range : ranges) {
      range.holding(Node.text(range.text().strip())).cidr();
    }
    if (spec.get("allocateLoadBalancerNodePorts").present() && !balanced) {
      spec.get("allocateLoadBalancerNodePorts").forbidden(ONLY_BALANCED);
    }
    ServiceUpdateRules.validateLoadBalancerClass(spec.get("loadBalancerClass"), balanced);
  }

  private static void annotatedRanges(Value ranges, boolean balanced) {
    if (ranges.absent()) {
      return;
    }
    if (!balanced) {
      ranges.forbidden(ONLY_BALANCED);
    }
    if (!ranges.text().isBlank()) {
      for (String range : ranges.text().split(",", -1)) {
        ranges.holding(Node.text(range.strip())).cidr();
      }
    }
  }

  private static void traffic(Value spec, String type) {
    boolean external =
        type.equals("LoadBalancer")
            || type.equals("NodePort")
            || (type.equals("ClusterIP") && spec.get("externalIPs").size() > 0);
    Value policy = spec.get("externalTrafficPolicy");
    if (external) {
      policy.oneOf("Cluster", "Local");
    } else if (policy.filled()) {
      policy.invalid("may only be set for externally-accessible services");
    }
    Value check = spec.get("healthCheckNodePort");
    if (type.equals("LoadBalancer") && policy.is("Local")) {
      if (check.filled()) {
        check.port();
      }
    } else if (check.filled()) {
      check.invalid(
          "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
    }
    Value internal = spec.declared("internalTrafficPolicy").get("internalTrafficPolicy");
    if (internal.present() && !internal.filled()) {
      internal.unsupported("Cluster", "Local");
    }
    spec.declared("trafficDistribution");
  }

  @Override
  public boolean validatesUpdateFirst() {
    return true;
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    ServiceUpdateRules.validateServiceUpdate(object.get("spec"), old.get("spec"));
  }

  @Override
  public void validateStatusUpdate(Value object, Value old) {
    Value balanced = object.get("status", "loadBalancer", "ingress");
    if (balanced.size() > 0 && !object.get("spec", "type").is("LoadBalancer")) {
      balanced.forbidden("may only be used when `spec.type` is 'LoadBalancer'");
      return;
    }
    LoadBalancerStatusRules.validateLoadBalancerIngress(balanced);
  }

  @Override
  public void warnOnUpdate(Value object, Consumer<String> warnings) {
    ServiceWarnings.warn(object, warnings);
  }

  @Override
  public void warnOnStatusUpdate(Value object, Consumer<String> warnings) {
    ServiceWarnings.warnAboutStatus(object, warnings);
  }
}
