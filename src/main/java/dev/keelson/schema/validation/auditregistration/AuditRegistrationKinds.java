package dev.keelson.schema.validation.auditregistration;

import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import java.util.Map;

/** The kinds of auditregistration.k8s.io. */
public final class AuditRegistrationKinds {
  private AuditRegistrationKinds() {}

  /** The rules by stored kind; immutable. */
  public static Map<GroupKind, KindRules> rules() {
    return Map.of(new GroupKind("auditregistration.k8s.io", "AuditSink"), new AuditSinkRules());
  }
}
