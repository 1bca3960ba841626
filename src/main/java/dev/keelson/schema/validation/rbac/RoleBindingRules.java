package dev.keelson.schema.validation.rbac;

import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;

/** Bindings of roles and of cluster roles. */
record RoleBindingRules(boolean namespaced) implements KindRules {
  private static final String GROUP = "rbac.authorization.k8s.io";

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validate(Value object) {
    Value role = object.get("roleRef");
    Value group = role.get("apiGroup");
    if (group.filled() && !group.is(GROUP)) {
      group.unsupported(GROUP);
    }
    Value kind = role.get("kind");
    if (!kind.is("ClusterRole") && !(namespaced && kind.is("Role"))) {
      if (namespaced) {
        kind.unsupportedInOrder("Role", "ClusterRole");
      } else {
        kind.unsupported("ClusterRole");
      }
    }
    role.declared("name").get("name").as(Formats.PATH_SEGMENT);
    for (Value subject : object.get("subjects")) {
      subject(subject);
    }
  }

  private void subject(Value subject) {
    Value group = subject.declared("name").get("apiGroup");
    switch (subject.get("kind").text()) {
      case "ServiceAccount" -> {
        subject.get("name").dnsSubdomain();
        if (group.filled()) {
          group.unsupported("");
        }
        if (!namespaced) {
          subject.get("namespace").needed();
        }
      }
      case "User", "Group" -> {
        if (group.filled() && !group.is(GROUP)) {
          group.unsupported(GROUP);
        }
      }
      default ->
          subject.get("kind").orEmpty().unsupportedInOrder("ServiceAccount", "User", "Group");
    }
  }

  @Override
  public boolean validatesUpdateTwice() {
    return true;
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    object.get("roleRef").unchanged(old.get("roleRef"), "cannot change roleRef");
  }
}
