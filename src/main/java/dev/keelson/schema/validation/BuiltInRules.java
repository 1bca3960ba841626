package dev.keelson.schema.validation;

import java.util.HashMap;
import java.util.Map;

/** The rules of all built-in types, by group and kind, for example {@code apps/Deployment}. */
final class BuiltInRules {

  private BuiltInRules() {}

  /**
   * Kinds are those that are stored. A group in which only old versions are served comes before the
   * stored one, so that it can have rules of its own.
   */
  static Map<String, TypeRules> byGroupAndKind() {
    Map<String, TypeRules> rules = new HashMap<>();
    rules.put("/Pod", new PodRules());
    WorkloadRules.addTo(rules);
    ConfigRules.addTo(rules);
    ClaimRules.addTo(rules);
    BatchRules.addTo(rules);
    ServiceRules.addTo(rules);
    NetworkRules.addTo(rules);
    ScalingRules.addTo(rules);
    AccessRules.addTo(rules);
    ClusterRules.addTo(rules);
    StorageRules.addTo(rules);
    AdmissionRules.addTo(rules);
    FlowRules.addTo(rules);
    EventRules.addTo(rules);
    return Map.copyOf(rules);
  }
}
