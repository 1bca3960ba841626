package dev.keelson.schema.validation.apiextensions;

import dev.keelson.api.FieldCause;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.StructuralSchema;
import dev.keelson.schema.structural.Pruning;
import dev.keelson.schema.validation.Value;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * The defaults of a schema (source: apiextensions-apiserver,
 * structuraldefaulting.ValidateDefaults): they are pruned and meet the schema of their place. Used
 * for one root schema.
 */
final class DefaultRules {

  private static final MapNode TYPED =
      MapNode.EMPTY
          .with("apiVersion", Node.text("validation/v1"))
          .with("kind", Node.text("Validation"));

  private final DefaultValidation validation;
  private final DefaultValidation.Rules rules;
  private final boolean pruned;

  /** The fields between the object whose metadata is declared and the current place. */
  private final Deque<String> steps = new ArrayDeque<>();

  private DefaultRules(
      DefaultValidation validation, DefaultValidation.Rules rules, boolean pruned) {
    this.validation = validation;
    this.rules = rules;
    this.pruned = pruned;
  }

  /**
   * Validates the defaults of a root schema.
   *
   * @param pruned whether defaults may not have unknown fields
   */
  static void validate(Value schema, DefaultValidation validation, boolean pruned) {
    StructuralSchema root =
        StructuralSchema.of(schema.map().with("x-kubernetes-embedded-resource", Node.Bool.TRUE));
    new DefaultRules(validation, validation.rules(), pruned).place(schema, root, root, false);
  }

  /**
   * Validates a place and all below.
   *
   * @param object the schema of the nearest object with metadata
   * @param insideMeta whether the place belongs to the type or metadata of that object
   */
  private void place(
      Value at, StructuralSchema schema, StructuralSchema object, boolean insideMeta) {
    Node value = schema.defaultValue();
    if (value != null && value != Node.Null.NULL) {
      if (insideMeta) {
        inMetadata(at.get("default"), value, schema, object);
      } else {
        plain(at.get("default"), value, schema);
      }
    }
    StructuralSchema items = schema.items();
    if (items != null) {
      // elements of a list cannot be metadata
      below(at.get("items"), items, object, insideMeta, "");
    }
    for (Map.Entry<String, StructuralSchema> property : schema.properties().entrySet()) {
      String name = property.getKey();
      boolean meta =
          insideMeta
              || (schema.isEmbeddedResource()
                  && (name.equals("metadata") || name.equals("apiVersion") || name.equals("kind")));
      below(at.get("properties").key(name), property.getValue(), object, meta, name);
    }
  }

  private void below(
      Value at, StructuralSchema schema, StructuralSchema object, boolean meta, String step) {
    if (schema.isEmbeddedResource()) {
      new DefaultRules(validation, rules, pruned).place(at, schema, schema, false);
      return;
    }
    steps.addLast(step);
    place(at, schema, object, meta);
    steps.removeLast();
  }

  private void plain(Value at, Node value, StructuralSchema schema) {
    if (pruned && !Pruning.value(value, schema).equals(value)) {
      at.invalid("must not have unknown fields");
    }
    report(at, value, schema);
  }

  private void report(Value at, Node value, StructuralSchema schema) {
    List<FieldCause> causes = validation.validate(value, schema, at.path());
    (causes.isEmpty() ? rules.validate(value, schema, at.path()) : causes).forEach(at::report);
  }

  private void inMetadata(Value at, Node value, StructuralSchema schema, StructuralSchema object) {
    Node surrounding = value;
    for (String step : List.copyOf(steps).reversed()) {
      surrounding =
          step.isEmpty() ? new Node.Items(List.of(surrounding)) : MapNode.of(step, surrounding);
    }
    MapNode.Builder whole = TYPED.toBuilder();
    if (surrounding instanceof MapNode fields) {
      fields.forEach(whole::set);
    }
    String problem = validation.metadataProblem(whole.build(), object);
    if (problem.isEmpty()) {
      report(at, value, schema);
    } else {
      at.invalid("must result in valid metadata: " + problem);
    }
  }

  /** Whether a default has fields that its schema does not declare. */
  static boolean hasUnknownFields(StructuralSchema schema) {
    Node value = schema.defaultValue();
    if (value != null && !Pruning.value(value, schema).equals(value)) {
      return true;
    }
    StructuralSchema items = schema.items();
    StructuralSchema additional = schema.additionalProperties();
    return (items != null && hasUnknownFields(items))
        || (additional != null && hasUnknownFields(additional))
        || schema.properties().values().stream().anyMatch(DefaultRules::hasUnknownFields);
  }
}
