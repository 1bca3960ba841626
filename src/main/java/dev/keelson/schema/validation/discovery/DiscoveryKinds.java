package dev.keelson.schema.validation.discovery;

import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import java.util.Map;

/** The kinds of discovery.k8s.io. */
public final class DiscoveryKinds {
  private DiscoveryKinds() {}

  /** The rules by stored kind; immutable. */
  public static Map<GroupKind, KindRules> rules() {
    return Map.ofEntries(
        Map.entry(new GroupKind("discovery.k8s.io", "EndpointSlice"), new EndpointSliceRules()));
  }
}
