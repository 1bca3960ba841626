package dev.keelson.schema.validation.apiextensions;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.validation.Value;
import java.util.HashSet;
import java.util.Set;

/**
 * What every schema must meet, structural or not (source: apiextensions-apiserver,
 * ValidateCustomResourceDefinitionOpenAPISchema and specStandardValidatorV3). Used for one root
 * schema.
 */
final class OpenApiRules {

  private static final Set<String> META_FIELDS = Set.of("metadata", "kind", "apiVersion");
  private static final String[] TYPES = {
    "array", "boolean", "integer", "number", "object", "string"
  };

  private final Requirements requirements;

  /** The paths of the schemas that have causes, there or below. */
  private final Set<String> broken = new HashSet<>();

  OpenApiRules(Requirements requirements) {
    this.requirements = requirements;
  }

  /**
   * Where a schema stands.
   *
   * @param root whether it is the root
   * @param insideMeta whether it applies to the type or metadata of an object
   * @param noDefaults why there are no defaults; empty if there may be some
   */
  private record Context(boolean root, boolean insideMeta, String noDefaults) {

    Context below() {
      return root ? new Context(false, insideMeta, noDefaults) : this;
    }

    Context forbiddingDefaults(String reason) {
      return new Context(root, insideMeta, reason);
    }
  }

  /** Validates a root schema. */
  void validate(Value schema) {
    validate(schema, new Context(true, false, ""));
  }

  /** Whether the schema at a path has causes, there or below. */
  boolean isBroken(String path) {
    return broken.contains(path);
  }

  private void validate(Value schema, Context context) {
    if (!(schema.node() instanceof MapNode)) {
      return;
    }
    int before = schema.causeCount();
    keywords(schema, context);
    if (schema.get("uniqueItems").flag()) {
      schema
          .get("uniqueItems")
          .forbidden(
              "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
    }
    fields(schema, context);
    Context below = context.below();
    validate(schema.get("not"), below);
    each(schema.get("allOf"), below);
    each(schema.get("oneOf"), below);
    each(schema.get("anyOf"), below);
    each(schema.get("definitions"), below);
    Value items = schema.get("items");
    if (items.node() instanceof Items) {
      each(items, below);
    } else {
      validate(items, below);
    }
    each(schema.get("dependencies"), below);
    Value preserve = schema.get("x-kubernetes-preserve-unknown-fields");
    if (preserve.node() == Node.Bool.FALSE) {
      preserve.invalid("must be true or undefined");
    }
    ListRules.validate(schema, requirements);
    ExpressionRules.validate(schema);
    if (schema.causeCount() > before) {
      broken.add(schema.path());
    }
  }

  private void each(Value schemas, Context context) {
    for (Value schema : schemas) {
      validate(schema, context);
    }
  }

  private void fields(Value schema, Context context) {
    Value additional = schema.get("additionalProperties");
    Value properties = schema.get("properties");
    if (additional.present()) {
      if (properties.size() > 0 && additional.node() != Node.Bool.TRUE) {
        additional.forbidden("additionalProperties and properties are mutual exclusive");
      }
      validate(
          additional,
          context.insideMeta
              ? context
                  .below()
                  .forbiddingDefaults("inside additionalProperties applying to object metadata")
              : context.below());
    }
    boolean object = context.root || schema.get("x-kubernetes-embedded-resource").flag();
    for (Value property : properties) {
      Context below = context.below();
      if (object && META_FIELDS.contains(property.name())) {
        below = new Context(false, true, below.noDefaults);
        if (context.root) {
          below = below.forbiddingDefaults("in top-level " + property.name());
        }
      }
      validate(property, below);
    }
  }

  private void keywords(Value schema, Context context) {
    Value type = schema.get("type");
    if (requirements.knownTypes() && Requirements.hasUnknownType(schema.map())) {
      type.unsupportedInOrder(TYPES);
    }
    if (schema.get("default").present() && !context.noDefaults.isEmpty()) {
      schema.get("default").forbidden("must not be set " + context.noDefaults);
    }
    if (schema.get("id").filled()) {
      unsupported(schema, "id");
    }
    if (schema.get("additionalItems").present()) {
      unsupported(schema, "additionalItems");
    }
    if (schema.get("patternProperties").size() > 0) {
      unsupported(schema, "patternProperties");
    }
    if (schema.get("definitions").size() > 0) {
      unsupported(schema, "definitions");
    }
    if (schema.get("dependencies").present()) {
      unsupported(schema, "dependencies");
    }
    if (schema.get("$ref").present()) {
      unsupported(schema, "$ref");
    }
    if (type.is("null")) {
      type.forbidden("type cannot be set to null, use nullable as an alternative");
    }
    if (schema.get("items").node() instanceof Items) {
      schema.get("items").forbidden("items must be a schema object and not an array");
    }
    if (context.insideMeta && schema.get("x-kubernetes-embedded-resource").flag()) {
      schema
          .get("x-kubernetes-embedded-resource")
          .forbidden("must not be used inside of resource meta");
    }
  }

  private static void unsupported(Value schema, String keyword) {
    schema.get(keyword).forbidden(keyword + " is not supported");
  }
}
