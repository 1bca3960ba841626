package dev.keelson.schema.validation.apiextensions;

import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import java.util.Map;

/** The kinds of apiextensions.k8s.io. */
public final class ApiExtensionsKinds {

  private ApiExtensionsKinds() {}

  /**
   * The rules by stored kind; immutable.
   *
   * @param defaults validates the defaults of schemas
   * @param expressions compiles the CEL rules of schemas
   */
  public static Map<GroupKind, KindRules> rules(
      DefaultValidation defaults, SchemaExpressions expressions) {
    return Map.of(
        new GroupKind("apiextensions.k8s.io", "CustomResourceDefinition"),
        new CustomResourceDefinitionRules(defaults, expressions));
  }
}
