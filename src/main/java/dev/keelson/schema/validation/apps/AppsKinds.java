package dev.keelson.schema.validation.apps;

import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import java.util.Map;

/** The kinds of apps, and of extensions where they were served before. */
public final class AppsKinds {
  private AppsKinds() {}

  /** The rules by stored kind; immutable. */
  public static Map<GroupKind, KindRules> rules() {
    return Map.ofEntries(
        Map.entry(new GroupKind("apps", "Deployment"), new DeploymentRules(true)),
        Map.entry(new GroupKind("extensions", "Deployment"), new DeploymentRules(false)),
        Map.entry(new GroupKind("apps", "ReplicaSet"), new ReplicaSetRules(true)),
        Map.entry(new GroupKind("extensions", "ReplicaSet"), new ReplicaSetRules(false)),
        Map.entry(new GroupKind("apps", "DaemonSet"), new DaemonSetRules(true)),
        Map.entry(new GroupKind("extensions", "DaemonSet"), new DaemonSetRules(false)),
        Map.entry(new GroupKind("apps", "StatefulSet"), new StatefulSetRules()),
        Map.entry(new GroupKind("apps", "ControllerRevision"), new ControllerRevisionRules()));
  }
}
