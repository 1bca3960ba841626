package dev.keelson.schema.validation;

/**
 * What may change in a service: a second address and family may come and go, the first ones stay
 * (source: ValidateServiceUpdate).
 */
final class ServiceUpdates {

  private static final String FIXED = "may not change once set";

  private ServiceUpdates() {}

  static void check(Value spec, Value was) {
    if (!spec.get("type").is("ExternalName") && !was.get("type").is("ExternalName")) {
      Value policy = spec.get("ipFamilyPolicy");
      if (!isHeadless(spec) || !isHeadless(was)) {
        list(spec.get("clusterIPs"), was.get("clusterIPs"), policy, "clusterIP");
      }
      list(spec.get("ipFamilies"), was.get("ipFamilies"), policy, "ipFamily");
    }
    boolean balanced = spec.get("type").is("LoadBalancer") && was.get("type").is("LoadBalancer");
    if (balanced) {
      spec.get("loadBalancerClass").unchanged(was.get("loadBalancerClass"), FIXED);
    }
    if (balanced
        && spec.get("externalTrafficPolicy").is("Local")
        && was.get("externalTrafficPolicy").is("Local")) {
      ContainerRules.zeroOr(spec.get("healthCheckNodePort"))
          .immutable(ContainerRules.zeroOr(was.get("healthCheckNodePort")));
    }
  }

  private static boolean isHeadless(Value spec) {
    return spec.get("clusterIPs").contains("None") || spec.get("clusterIP").is("None");
  }

  private static void list(Value now, Value old, Value policy, String what) {
    if (now.size() == old.size()) {
      for (int i = 0; i < now.size(); i++) {
        if (!now.at(i).sameAs(old.at(i))) {
          now.invalidAt(now.at(i), FIXED);
        }
      }
    } else if (now.size() == 0) {
      now.holding(dev.keelson.object.Node.Items.EMPTY)
          .invalidAt(now.at(0), "primary " + what + " can not be unset");
    } else {
      if (old.size() > 0 && !now.at(0).sameAs(old.at(0))) {
        now.invalidAt(now.at(0), FIXED);
      }
      if (now.size() == 1 && old.size() > 1 && !policy.is("SingleStack")) {
        policy.invalid("must be set to 'SingleStack' when releasing the secondary " + what);
      }
    }
  }
}
