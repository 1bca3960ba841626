package dev.keelson.schema.validation.apiregistration;

import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import java.util.Map;

/** The kinds of apiregistration.k8s.io. */
public final class ApiRegistrationKinds {
  private ApiRegistrationKinds() {}

  /** The rules by stored kind; immutable. */
  public static Map<GroupKind, KindRules> rules() {
    return Map.of(new GroupKind("apiregistration.k8s.io", "APIService"), new ApiServiceRules());
  }
}
