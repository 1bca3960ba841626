package dev.keelson.schema.validation.builtin;

import dev.keelson.api.FeatureGates;
import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.ObjectValidation;
import dev.keelson.schema.validation.admissionregistration.AdmissionRegistrationKinds;
import dev.keelson.schema.validation.admissionregistration.PolicyExpressions;
import dev.keelson.schema.validation.apiextensions.ApiExtensionsKinds;
import dev.keelson.schema.validation.apiextensions.DefaultValidation;
import dev.keelson.schema.validation.apiextensions.SchemaExpressions;
import dev.keelson.schema.validation.apiregistration.ApiRegistrationKinds;
import dev.keelson.schema.validation.apiserverinternal.ApiServerInternalKinds;
import dev.keelson.schema.validation.apps.AppsKinds;
import dev.keelson.schema.validation.auditregistration.AuditRegistrationKinds;
import dev.keelson.schema.validation.autoscaling.AutoscalingKinds;
import dev.keelson.schema.validation.batch.BatchKinds;
import dev.keelson.schema.validation.certificates.CertificatesKinds;
import dev.keelson.schema.validation.coordination.CoordinationKinds;
import dev.keelson.schema.validation.core.CoreKinds;
import dev.keelson.schema.validation.core.volume.VolumeKinds;
import dev.keelson.schema.validation.discovery.DiscoveryKinds;
import dev.keelson.schema.validation.events.EventsKinds;
import dev.keelson.schema.validation.flowcontrol.FlowControlKinds;
import dev.keelson.schema.validation.networking.NetworkingKinds;
import dev.keelson.schema.validation.node.NodeKinds;
import dev.keelson.schema.validation.policy.PolicyKinds;
import dev.keelson.schema.validation.rbac.RbacKinds;
import dev.keelson.schema.validation.resource.DeviceExpressions;
import dev.keelson.schema.validation.resource.ResourceKinds;
import dev.keelson.schema.validation.scheduling.SchedulingKinds;
import dev.keelson.schema.validation.storage.StorageKinds;
import dev.keelson.schema.validation.storagemigration.StorageMigrationKinds;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** The validation of all built-in kinds. */
public final class BuiltInRules {

  private BuiltInRules() {}

  /** The same with the features that are on by default. */
  public static ObjectValidation validation(
      DeviceExpressions deviceSelectors,
      DefaultValidation defaults,
      SchemaExpressions expressions,
      PolicyExpressions policies) {
    return validation(deviceSelectors, defaults, expressions, policies, FeatureGates.DEFAULT);
  }

  /**
   * Validation by the rules of all built-in groups.
   *
   * @param deviceSelectors checks the CEL expressions of device selectors
   * @param defaults validates the defaults in the schemas of custom resources
   * @param expressions compiles the CEL rules in the schemas of custom resources
   * @param policies compiles the expressions of admission policies and webhooks
   * @param gates the features that rules depend on
   */
  public static ObjectValidation validation(
      DeviceExpressions deviceSelectors,
      DefaultValidation defaults,
      SchemaExpressions expressions,
      PolicyExpressions policies,
      FeatureGates gates) {
    return new ObjectValidation(
        new RulesByGroup(groups(deviceSelectors, defaults, expressions, policies, gates))::of);
  }

  /** Makes the rules of a group, by its name. */
  static Map<String, Supplier<Map<GroupKind, KindRules>>> groups(
      DeviceExpressions deviceSelectors,
      DefaultValidation defaults,
      SchemaExpressions expressions,
      PolicyExpressions policies,
      FeatureGates gates) {
    return Map.ofEntries(
        Map.entry("admissionregistration.k8s.io", () -> AdmissionRegistrationKinds.rules(policies)),
        Map.entry("apiextensions.k8s.io", () -> ApiExtensionsKinds.rules(defaults, expressions)),
        Map.entry("apiregistration.k8s.io", ApiRegistrationKinds::rules),
        Map.entry("apps", AppsKinds::rules),
        Map.entry("auditregistration.k8s.io", AuditRegistrationKinds::rules),
        Map.entry("autoscaling", () -> AutoscalingKinds.rules(gates)),
        Map.entry("batch", BatchKinds::rules),
        Map.entry("certificates.k8s.io", CertificatesKinds::rules),
        Map.entry("coordination.k8s.io", CoordinationKinds::rules),
        Map.entry("", BuiltInRules::core),
        Map.entry("discovery.k8s.io", DiscoveryKinds::rules),
        Map.entry("events.k8s.io", EventsKinds::rules),
        // served in old versions only, with rules of their own beside those of apps
        Map.entry("extensions", AppsKinds::rules),
        Map.entry("flowcontrol.apiserver.k8s.io", FlowControlKinds::rules),
        Map.entry("networking.k8s.io", NetworkingKinds::rules),
        Map.entry("node.k8s.io", NodeKinds::rules),
        Map.entry("policy", PolicyKinds::rules),
        Map.entry("rbac.authorization.k8s.io", RbacKinds::rules),
        Map.entry("resource.k8s.io", () -> ResourceKinds.rules(deviceSelectors)),
        Map.entry("scheduling.k8s.io", SchedulingKinds::rules),
        Map.entry("storage.k8s.io", StorageKinds::rules),
        Map.entry("storagemigration.k8s.io", StorageMigrationKinds::rules),
        Map.entry("internal.apiserver.k8s.io", ApiServerInternalKinds::rules));
  }

  private static Map<GroupKind, KindRules> core() {
    Map<GroupKind, KindRules> rules = new HashMap<>(CoreKinds.rules());
    rules.putAll(VolumeKinds.rules());
    return rules;
  }
}
