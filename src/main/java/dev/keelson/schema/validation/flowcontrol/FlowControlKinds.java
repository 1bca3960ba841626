package dev.keelson.schema.validation.flowcontrol;

import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import java.util.Map;

/** The kinds of flowcontrol.apiserver.k8s.io. */
public final class FlowControlKinds {
  private FlowControlKinds() {}

  /** The rules by stored kind; immutable. */
  public static Map<GroupKind, KindRules> rules() {
    return Map.ofEntries(
        Map.entry(
            new GroupKind("flowcontrol.apiserver.k8s.io", "FlowSchema"), new FlowSchemaRules()),
        Map.entry(
            new GroupKind("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration"),
            new PriorityLevelConfigurationRules()));
  }
}
