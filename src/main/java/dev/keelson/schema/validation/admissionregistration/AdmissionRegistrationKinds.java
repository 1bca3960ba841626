package dev.keelson.schema.validation.admissionregistration;

import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import java.util.Map;

/** The kinds of admissionregistration.k8s.io. */
public final class AdmissionRegistrationKinds {
  private AdmissionRegistrationKinds() {}

  /**
   * The rules by stored kind; immutable.
   *
   * @param expressions compiles the expressions of policies and webhooks
   */
  public static Map<GroupKind, KindRules> rules(PolicyExpressions expressions) {
    return Map.ofEntries(
        Map.entry(
            new GroupKind("admissionregistration.k8s.io", "MutatingWebhookConfiguration"),
            new WebhookConfigurationRules(expressions)),
        Map.entry(
            new GroupKind("admissionregistration.k8s.io", "ValidatingWebhookConfiguration"),
            new WebhookConfigurationRules(expressions)),
        Map.entry(
            new GroupKind("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"),
            new PolicyRules(PolicyRules.Kind.VALIDATING, expressions)),
        Map.entry(
            new GroupKind("admissionregistration.k8s.io", "MutatingAdmissionPolicy"),
            new PolicyRules(PolicyRules.Kind.MUTATING, expressions)),
        Map.entry(
            new GroupKind("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"),
            new PolicyBindingRules(PolicyRules.Kind.VALIDATING)),
        Map.entry(
            new GroupKind("admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding"),
            new PolicyBindingRules(PolicyRules.Kind.MUTATING)));
  }
}
