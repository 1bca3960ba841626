package dev.keelson.schema.validation.apiserverinternal;

import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import java.util.Map;

/** The kinds of internal.apiserver.k8s.io. */
public final class ApiServerInternalKinds {
  private ApiServerInternalKinds() {}

  /** The rules by stored kind; immutable. */
  public static Map<GroupKind, KindRules> rules() {
    return Map.of(
        new GroupKind("internal.apiserver.k8s.io", "StorageVersion"), new StorageVersionRules());
  }
}
