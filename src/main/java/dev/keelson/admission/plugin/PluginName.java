package dev.keelson.admission.plugin;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** The admission plugins in the order in which they run. */
public enum PluginName {
  ALWAYS_ADMIT("AlwaysAdmit", false),
  NAMESPACE_AUTO_PROVISION("NamespaceAutoProvision", false),
  /** Always enforced by the registry. */
  NAMESPACE_LIFECYCLE("NamespaceLifecycle", true),
  /** Always enforced by the registry. */
  NAMESPACE_EXISTS("NamespaceExists", false),
  LIMIT_POD_HARD_ANTI_AFFINITY_TOPOLOGY("LimitPodHardAntiAffinityTopology", false),
  LIMIT_RANGER("LimitRanger", true),
  SERVICE_ACCOUNT("ServiceAccount", true),
  NODE_RESTRICTION("NodeRestriction", false),
  TAINT_NODES_BY_CONDITION("TaintNodesByCondition", true),
  ALWAYS_PULL_IMAGES("AlwaysPullImages", false),
  IMAGE_POLICY_WEBHOOK("ImagePolicyWebhook", false),
  POD_SECURITY("PodSecurity", true),
  POD_NODE_SELECTOR("PodNodeSelector", false),
  PRIORITY("Priority", true),
  DEFAULT_TOLERATION_SECONDS("DefaultTolerationSeconds", true),
  POD_TOLERATION_RESTRICTION("PodTolerationRestriction", false),
  EVENT_RATE_LIMIT("EventRateLimit", false),
  EXTENDED_RESOURCE_TOLERATION("ExtendedResourceToleration", false),
  DEFAULT_STORAGE_CLASS("DefaultStorageClass", true),
  STORAGE_OBJECT_IN_USE_PROTECTION("StorageObjectInUseProtection", true),
  /** For objects of an alpha API that is not served. */
  POD_GROUP_PROTECTION("PodGroupProtection", true),
  OWNER_REFERENCES_PERMISSION_ENFORCEMENT("OwnerReferencesPermissionEnforcement", false),
  PERSISTENT_VOLUME_CLAIM_RESIZE("PersistentVolumeClaimResize", true),
  RUNTIME_CLASS("RuntimeClass", true),
  CERTIFICATE_APPROVAL("CertificateApproval", true),
  CERTIFICATE_SIGNING("CertificateSigning", true),
  CLUSTER_TRUST_BUNDLE_ATTEST("ClusterTrustBundleAttest", true),
  CERTIFICATE_SUBJECT_RESTRICTION("CertificateSubjectRestriction", true),
  DEFAULT_INGRESS_CLASS("DefaultIngressClass", true),
  DENY_SERVICE_EXTERNAL_IPS("DenyServiceExternalIPs", false),
  POD_TOPOLOGY_LABELS("PodTopologyLabels", true),
  /** For objects of an alpha API that is not served. */
  POD_GROUP_WORKLOAD_EXISTS("PodGroupWorkloadExists", true),
  NODE_DECLARED_FEATURE_VALIDATOR("NodeDeclaredFeatureValidator", true),
  /** For jobs with objects of an alpha API that is not served. */
  JOB_VALIDATION("JobValidation", true),
  POD_RESIZE_VALIDATOR("PodResizeValidator", true),
  MUTATING_ADMISSION_POLICY("MutatingAdmissionPolicy", true),
  MUTATING_ADMISSION_WEBHOOK("MutatingAdmissionWebhook", true),
  VALIDATING_ADMISSION_POLICY("ValidatingAdmissionPolicy", true),
  VALIDATING_ADMISSION_WEBHOOK("ValidatingAdmissionWebhook", true),
  RESOURCE_QUOTA("ResourceQuota", true),
  ALWAYS_DENY("AlwaysDeny", false);

  private final String text;
  private final boolean byDefault;

  PluginName(String text, boolean byDefault) {
    this.text = text;
    this.byDefault = byDefault;
  }

  /** The name in Kubernetes. */
  public String text() {
    return text;
  }

  /** Returns the plugin of a name. */
  public static Optional<PluginName> of(String text) {
    return Arrays.stream(values()).filter(plugin -> plugin.text.equals(text)).findFirst();
  }

  /** The plugins that are enabled by default. */
  public static Set<PluginName> defaults() {
    EnumSet<PluginName> names = EnumSet.noneOf(PluginName.class);
    for (PluginName name : values()) {
      if (name.byDefault) {
        names.add(name);
      }
    }
    return Collections.unmodifiableSet(names);
  }
}
