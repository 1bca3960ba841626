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
import dev.keelson.schema.validation.resource.ResourceKinds;
import dev.keelson.schema.validation.scheduling.SchedulingKinds;
import dev.keelson.schema.validation.storage.StorageKinds;
import dev.keelson.schema.validation.storagemigration.StorageMigrationKinds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The validation of all built-in kinds. */
public final class BuiltInRules {

  private BuiltInRules() {}

  /** The same with the features that are on by default. */
  public static ObjectValidation validation(
      UnaryOperator<String> deviceSelectors,
      DefaultValidation defaults,
      SchemaExpressions expressions,
      PolicyExpressions policies) {
    return validation(deviceSelectors, defaults, expressions, policies, FeatureGates.DEFAULT);
  }

  /**
   * Validation by the rules of all built-in groups.
   *
   * @param deviceSelectors compiles the CEL expression of a device selector and returns the problem
   *     with it, empty if there is none
   * @param defaults validates the defaults in the schemas of custom resources
   * @param expressions compiles the CEL rules in the schemas of custom resources
   * @param policies compiles the expressions of admission policies and webhooks
   * @param gates the features that rules depend on
   */
  public static ObjectValidation validation(
      UnaryOperator<String> deviceSelectors,
      DefaultValidation defaults,
      SchemaExpressions expressions,
      PolicyExpressions policies,
      FeatureGates gates) {
    Map<GroupKind, KindRules> rules = new HashMap<>();
    for (Map<GroupKind, KindRules> group :
        List.of(
            AdmissionRegistrationKinds.rules(policies),
            ApiExtensionsKinds.rules(defaults, expressions),
            ApiRegistrationKinds.rules(),
            AppsKinds.rules(),
            AuditRegistrationKinds.rules(),
            AutoscalingKinds.rules(gates),
            BatchKinds.rules(),
            CertificatesKinds.rules(),
            CoordinationKinds.rules(),
            CoreKinds.rules(),
            VolumeKinds.rules(),
            DiscoveryKinds.rules(),
            EventsKinds.rules(),
            FlowControlKinds.rules(),
            NetworkingKinds.rules(),
            NodeKinds.rules(),
            PolicyKinds.rules(),
            RbacKinds.rules(),
            ResourceKinds.rules(deviceSelectors),
            SchedulingKinds.rules(),
            StorageKinds.rules(),
            StorageMigrationKinds.rules(),
            ApiServerInternalKinds.rules())) {
      rules.putAll(group);
    }
    return new ObjectValidation(rules);
  }
}
