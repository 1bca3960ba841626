package dev.keelson.schema.validation.core;

import dev.keelson.object.Node;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;

/**
 * What may change in a service: a second address and family may come and go, the first ones stay
 * (source: ValidateServiceUpdate).
 */
final class ServiceUpdateRules {
  private static final String FIXED = "may not change once set";
  private static final String ONLY_BALANCED = "may only be used when `type` is 'LoadBalancer'";

  private ServiceUpdateRules() {}

  /** The class of what balances the load, which only a balanced service has. */
  static void validateLoadBalancerClass(Value balancerClass, boolean balanced) {
    if (balancerClass.absent()) {
      return;
    }
    if (balanced) {
      Labels.validateLabelName(balancerClass);
    } else {
      balancerClass.forbidden(ONLY_BALANCED);
    }
  }

  /** Whether the service has no address of its own. */
  static boolean isHeadless(Value spec) {
    Value all = spec.get("clusterIPs");
    return all.size() == 0
        ? spec.get("clusterIP").is("None")
        : all.size() == 1 && all.at(0).is("None");
  }

  static void validateServiceUpdate(Value spec, Value was) {
    if (!spec.get("type").is("ExternalName") && !was.get("type").is("ExternalName")) {
      boolean headless = isHeadless(spec);
      boolean wasHeadless = isHeadless(was);
      if (!headless || !wasHeadless) {
        validateClusterIpsUpdate(spec, was);
      }
      if (!headless && !wasHeadless) {
        validateIpFamiliesUpdate(spec, was);
      }
    }
    boolean balanced = spec.get("type").is("LoadBalancer");
    boolean wasBalanced = was.get("type").is("LoadBalancer");
    if (balanced && wasBalanced) {
      spec.get("loadBalancerClass").unchanged(was.get("loadBalancerClass"), FIXED);
    }
    validateLoadBalancerClass(spec.get("loadBalancerClass"), balanced);
    if (balanced
        && wasBalanced
        && spec.get("externalTrafficPolicy").is("Local")
        && was.get("externalTrafficPolicy").is("Local")
        && spec.get("healthCheckNodePort").number() != was.get("healthCheckNodePort").number()) {
      spec.get("healthCheckNodePort").forbidden("field is immutable");
    }
  }

  private static void validateClusterIpsUpdate(Value spec, Value was) {
    Value now = listed(spec.get("clusterIPs"));
    Value old = was.get("clusterIPs");
    if (now.size() == old.size()) {
      for (int i = 0; i < now.size(); i++) {
        if (!now.at(i).sameAs(old.at(i))) {
          now.invalidAt(now.at(i), FIXED);
        }
      }
      return;
    }
    if (now.size() == 0) {
      now.invalidAt(now.at(0), "primary clusterIP can not be unset");
    }
    if (now.size() > 0 && old.size() > 0 && !now.at(0).sameAs(old.at(0))) {
      now.invalidAt(now.at(0), FIXED);
    }
    if (now.size() == 1 && old.size() > 1) {
      validateSingleStack(spec.get("ipFamilyPolicy"), "clusterIP");
    }
  }

  /** Kubernetes complains at the first family, and shows the addresses in some cases. */
  private static void validateIpFamiliesUpdate(Value spec, Value was) {
    Value now = listed(spec.get("ipFamilies"));
    Value old = was.get("ipFamilies");
    Value addresses = listed(spec.get("clusterIPs"));
    if (now.size() == old.size()) {
      for (int i = 0; i < now.size(); i++) {
        if (!now.at(i).sameAs(old.at(i))) {
          now.invalidAt(now.at(0), FIXED);
        }
      }
      return;
    }
    if (now.size() < old.size() && addresses.size() == 0) {
      now.invalidAt(now.at(0), "primary ipFamily can not be unset");
    }
    if (now.size() > 0 && old.size() > 0 && !now.at(0).sameAs(old.at(0))) {
      addresses.invalidAt(now.at(0), FIXED);
    }
    if (now.size() == 1 && old.size() > 1) {
      validateSingleStack(spec.get("ipFamilyPolicy"), "ipFamily");
    }
  }

  private static void validateSingleStack(Value policy, String what) {
    if (!policy.is("SingleStack")) {
      policy.invalid("must be set to 'SingleStack' when releasing the secondary " + what);
    }
  }

  private static Value listed(Value list) {
    return list.present() ? list : list.holding(Node.Items.EMPTY);
  }
}
