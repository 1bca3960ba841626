package dev.keelson.schema.validation.core;

import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.GivenText;
import dev.keelson.schema.validation.Value;

/** The load balancer part of a status. */
public final class LoadBalancerStatusRules {
  private LoadBalancerStatusRules() {}

  /** Validates the ingress points of a load balancer (ValidateLoadBalancerStatus). */
  public static void validateLoadBalancerIngress(Value balancers) {
    for (Value ingress : balancers) {
      Value ip = ingress.get("ip");
      if (ip.filled()) {
        ip.ip();
      }
      Value mode = ingress.get("ipMode");
      if (mode.present() && !ip.filled()) {
        mode.forbidden("may not be specified when `ip` is not set");
      } else if (mode.present()) {
        GivenText.validateKnown(mode, "Proxy", "VIP");
      }
      Value host = ingress.get("hostname");
      host.dnsSubdomain();
      if (host.filled() && Formats.isIp(host.text())) {
        host.invalid("must be a DNS name, not an IP address");
      }
    }
  }
}
