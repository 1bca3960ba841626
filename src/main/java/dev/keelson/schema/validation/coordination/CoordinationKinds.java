package dev.keelson.schema.validation.coordination;

import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import java.util.Map;

/** The kinds of coordination.k8s.io. */
public final class CoordinationKinds {
  private CoordinationKinds() {}

  /** The rules by stored kind; immutable. */
  public static Map<GroupKind, KindRules> rules() {
    return Map.ofEntries(
        Map.entry(new GroupKind("coordination.k8s.io", "Lease"), new LeaseRules()));
  }
}
