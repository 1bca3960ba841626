package dev.keelson.schema.validation.core;

import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.core.pod.PodRules;
import java.util.Map;

/** The kinds of the core group with rules of their own. */
public final class CoreKinds {
  private CoreKinds() {}

  /** The rules by stored kind; immutable. */
  public static Map<GroupKind, KindRules> rules() {
    return Map.ofEntries(
        Map.entry(new GroupKind("", "Pod"), new PodRules()),
        Map.entry(new GroupKind("", "ReplicationController"), new ReplicationControllerRules()),
        Map.entry(new GroupKind("", "PodTemplate"), new PodTemplateRules()),
        Map.entry(new GroupKind("", "ConfigMap"), new ConfigMapRules()),
        Map.entry(new GroupKind("", "Secret"), new SecretRules()),
        Map.entry(new GroupKind("", "Service"), new ServiceRules()),
        Map.entry(new GroupKind("", "ServiceAccount"), new ServiceAccountRules()),
        Map.entry(new GroupKind("", "Endpoints"), new EndpointsRules()),
        Map.entry(new GroupKind("", "Node"), new NodeRules()),
        Map.entry(new GroupKind("", "LimitRange"), new LimitRangeRules()),
        Map.entry(new GroupKind("", "ResourceQuota"), new ResourceQuotaRules()),
        Map.entry(new GroupKind("", "Namespace"), new NamespaceRules()),
        Map.entry(new GroupKind("", "Event"), new CoreEventRules()));
  }
}
