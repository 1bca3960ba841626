package dev.keelson.schema.validation.apiextensions;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.StructuralSchema;
import dev.keelson.schema.validation.Value;
import java.util.List;
import java.util.Set;

/** The schema of a version, or of all versions. */
final class SchemaRules {

  /** What a root schema may have beside the status, in the order and words of Kubernetes. */
  private static final List<String> AT_ROOT =
      List.of(
          "Description",
          "Type",
          "Format",
          "Title",
          "Maximum",
          "ExclusiveMaximum",
          "Minimum",
          "ExclusiveMinimum",
          "MaxLength",
          "MinLength",
          "Pattern",
          "MaxItems",
          "MinItems",
          "UniqueItems",
          "MultipleOf",
          "Required",
          "Items",
          "Properties",
          "ExternalDocs",
          "Example",
          "XPreserveUnknownFields",
          "XValidations");

  /**
   * The fields of JSONSchemaProps before the type that a root schema with a status may not have.
   */
  private static final Set<String> FIRST = Set.of("id", "$schema", "$ref");

  /** Those after the type. */
  private static final Set<String> NOT_AT_ROOT =
      Set.of(
          "nullable",
          "default",
          "enum",
          "maxProperties",
          "minProperties",
          "allOf",
          "oneOf",
          "anyOf",
          "not",
          "additionalProperties",
          "patternProperties",
          "dependencies",
          "additionalItems",
          "definitions",
          "x-kubernetes-embedded-resource",
          "x-kubernetes-int-or-string",
          "x-kubernetes-list-map-keys",
          "x-kubernetes-list-type",
          "x-kubernetes-map-type");

  private final DefaultValidation defaults;
  private final SchemaExpressions expressions;

  SchemaRules(DefaultValidation defaults, SchemaExpressions expressions) {
    this.defaults = defaults;
    this.expressions = expressions;
  }

  /**
   * Validates a schema.
   *
   * @param validation the CustomResourceValidation; may be absent
   * @param status whether there is a subresource status
   * @param unchanged whether the stored definition has the same
   */
  void validate(Value validation, boolean status, boolean unchanged, Requirements requirements) {
    Value root = validation.get("openAPIV3Schema");
    if (!(root.node() instanceof MapNode)) {
      return;
    }
    int before = root.causeCount();
    if (status) {
      atRoot(root);
    }
    if (root.get("nullable").flag()) {
      root.get("nullable").forbidden("nullable cannot be true at the root");
    }
    String unreadable = requirements.structural() ? StructuralForm.problem(root.node()) : "";
    boolean structural =
        requirements.structural() && unreadable.isEmpty() && isStructural(root, requirements);
    OpenApiRules openApi = new OpenApiRules(requirements);
    openApi.validate(root);
    if (structural && usesExpressions(root.map())) {
      expressions
          .check(
              new SchemaExpressions.Request(
                  StructuralSchema.of(root.map()), root.path(), unchanged, openApi::isBroken))
          .forEach(root::report);
    }
    if (root.causeCount() == before && !unreadable.isEmpty()) {
      root.invalid("", unreadable);
    }
  }

  private static boolean usesExpressions(MapNode root) {
    return Schemas.any(root, schema -> schema.has("x-kubernetes-validations"));
  }

  /** Reports why a schema, or its defaults, are not structural. */
  private boolean isStructural(Value root, Requirements requirements) {
    Findings findings = new Findings();
    StructuralRules.validate(root, findings);
    if (!findings.isEmpty()) {
      findings.report();
      return false;
    }
    int before = root.causeCount();
    DefaultRules.validate(root, defaults, requirements.prunedDefaults());
    return root.causeCount() == before;
  }

  /**
   * Only a part of the schema may be at the root when the schema of the status is used for itself.
   */
  private static void atRoot(Value root) {
    // the fields of JSONSchemaProps come in this order
    if (!hasOneOf(root, FIRST)) {
      Value type = root.get("type");
      if (type.filled() && !type.is("object")) {
        type.invalid(
            "only \"object\" is allowed as the type at the root of the schema if the status"
                + " subresource is enabled");
        return;
      }
      if (!hasOneOf(root, NOT_AT_ROOT)) {
        return;
      }
    }
    root.invalid(
        "only ["
            + String.join(" ", AT_ROOT)
            + "] fields are allowed at the root of the schema if the status subresource is"
            + " enabled");
  }

  private static boolean hasOneOf(Value root, Set<String> fields) {
    return fields.stream()
        .anyMatch(field -> root.get(field).present() && root.get(field).node() != Node.Bool.FALSE);
  }
}
