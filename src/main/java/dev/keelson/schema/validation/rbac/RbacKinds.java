package dev.keelson.schema.validation.rbac;

import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import java.util.Map;

/** The kinds of rbac.authorization.k8s.io. */
public final class RbacKinds {
  private RbacKinds() {}

  /** The rules by stored kind; immutable. */
  public static Map<GroupKind, KindRules> rules() {
    return Map.ofEntries(
        Map.entry(new GroupKind("rbac.authorization.k8s.io", "Role"), new RoleRules(true)),
        Map.entry(new GroupKind("rbac.authorization.k8s.io", "ClusterRole"), new RoleRules(false)),
        Map.entry(
            new GroupKind("rbac.authorization.k8s.io", "RoleBinding"), new RoleBindingRules(true)),
        Map.entry(
            new GroupKind("rbac.authorization.k8s.io", "ClusterRoleBinding"),
            new RoleBindingRules(false)));
  }
}
