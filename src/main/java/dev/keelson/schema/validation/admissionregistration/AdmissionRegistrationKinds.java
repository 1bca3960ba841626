package dev.keelson.schema.validation.admissionregistration;

import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import java.util.Map;

/** The kinds of admissionregistration.k8s.io; expressions are not compiled. */
public final class AdmissionRegistrationKinds {
  private AdmissionRegistrationKinds() {}

  /** The rules by stored kind; immutable. */
  public static Map<GroupKind, KindRules> rules() {
    return Map.ofEntries(
        Map.entry(
            new GroupKind("admissionregistration.k8s.io", "MutatingWebhookConfiguration"),
            new WebhookConfigurationRules()),
        Map.entry(
            new GroupKind("admissionregistration.k8s.io", "ValidatingWebhookConfiguration"),
            new WebhookConfigurationRules()),
        Map.entry(
            new GroupKind("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"),
            new PolicyRules("validations")),
        Map.entry(
            new GroupKind("admissionregistration.k8s.io", "MutatingAdmissionPolicy"),
            new PolicyRules("mutations")),
        Map.entry(
            new GroupKind("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"),
            new PolicyBindingRules(true)),
        Map.entry(
            new GroupKind("admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding"),
            new PolicyBindingRules(false)));
  }
}
