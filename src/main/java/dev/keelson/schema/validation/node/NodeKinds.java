package dev.keelson.schema.validation.node;

import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import java.util.Map;

/** The kinds of node.k8s.io. */
public final class NodeKinds {
  private NodeKinds() {}

  /** The rules by stored kind; immutable. */
  public static Map<GroupKind, KindRules> rules() {
    return Map.ofEntries(
        Map.entry(new GroupKind("node.k8s.io", "RuntimeClass"), new RuntimeClassRules()));
  }
}
