package dev.keelson.schema.validation.core;

import dev.keelson.schema.validation.AddressWarnings;
import dev.keelson.schema.validation.Value;
import java.util.function.Consumer;

/** Warnings about Services (source: pkg/api/service/warnings.go). */
final class ServiceWarnings {

  private static final String HINTS = "service.kubernetes.io/topology-aware-hints";

  private ServiceWarnings() {}

  /** Warns about the addresses of a load balancer; Kubernetes names the entry, not its field. */
  static void warnAboutStatus(Value service, Consumer<String> warnings) {
    for (Value ingress : service.get("status", "loadBalancer", "ingress")) {
      AddressWarnings.warnAboutIp(ingress.holding(ingress.get("ip").node()), warnings);
    }
  }

  /** Warns about a Service that is valid. */
  static void warn(Value service, Consumer<String> warnings) {
    Value spec = service.get("spec");
    boolean external = spec.get("type").is("ExternalName");
    boolean addresses = spec.get("externalIPs").size() > 0;
    boolean headless = spec.get("type").is("ClusterIP") && spec.get("clusterIP").is("None");
    if (service.get("metadata", "annotations").key(HINTS).present()) {
      warnings.accept(
          "annotation "
              + HINTS
              + " is deprecated, please use service.kubernetes.io/topology-mode instead");
    }
    if (!external && !spec.get("clusterIP").is("None")) {
      AddressWarnings.warnAboutIps(spec.get("clusterIPs"), warnings);
    }
    if (headless) {
      if (spec.get("loadBalancerIP").filled()) {
        warnings.accept("spec.loadBalancerIP is ignored for headless services");
      }
      if (addresses) {
        warnings.accept("spec.externalIPs is ignored for headless services");
      }
      if (!spec.get("sessionAffinity").is("None")) {
        warnings.accept("spec.SessionAffinity is ignored for headless services");
      }
    }
    AddressWarnings.warnAboutIps(spec.get("externalIPs"), warnings);
    AddressWarnings.warnAboutIp(spec.get("loadBalancerIP"), warnings);
    for (Value range : spec.get("loadBalancerSourceRanges")) {
      AddressWarnings.warnAboutCidr(range, warnings);
    }
    if (addresses && !headless && !external) {
      warnings.accept(
          "spec.externalIPs is deprecated and may no longer be implemented in some clusters");
    }
    if (external && addresses) {
      warnings.accept("spec.externalIPs is ignored when spec.type is \"ExternalName\"");
    }
    if (!external && spec.get("externalName").filled()) {
      warnings.accept("spec.externalName is ignored when spec.type is not \"ExternalName\"");
    }
    if (spec.get("trafficDistribution").is("PreferClose")) {
      warnings.accept(
          "spec.trafficDistribution: \"PreferClose\" is deprecated; use \"PreferSameZone\"");
    }
  }
}
