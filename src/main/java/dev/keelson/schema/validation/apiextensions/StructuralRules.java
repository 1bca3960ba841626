package dev.keelson.schema.validation.apiextensions;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.validation.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What makes a schema structural (source: apiextensions-apiserver, ValidateStructural): every field
 * is declared outside of the logical junctors, which only constrain values.
 */
final class StructuralRules {

  private static final Node INT_OR_STRING_ANY_OF =
      new Items(
          List.of(
              MapNode.of("type", Node.text("integer")), MapNode.of("type", Node.text("string"))));

  private final Findings findings;
  private final NestedRules nested;

  /** Where a schema stands. */
  private enum Level {
    ROOT("must not be empty at the root"),
    ITEM("must not be empty for specified array items"),
    FIELD("must not be empty for specified object fields");

    private final String typeNeeded;

    Level(String typeNeeded) {
      this.typeNeeded = typeNeeded;
    }
  }

  private StructuralRules(Findings findings) {
    this.findings = findings;
    this.nested = new NestedRules(findings);
  }

  /** Validates a root schema, which is free of what {@link StructuralForm} rejects. */
  static void validate(Value schema, Findings findings) {
    StructuralRules rules = new StructuralRules(findings);
    rules.schema(schema, Level.ROOT);
    rules.nested.completeness(schema);
  }

  private void schema(Value schema, Level level) {
    if (!(schema.node() instanceof MapNode)) {
      return;
    }
    Value type = schema.get("type");
    Value items = schema.get("items");
    if (type.is("array") && !(items.node() instanceof MapNode)) {
      findings.required(items, "must be specified");
    }
    schema(items, Level.ITEM);
    for (Value property : schema.get("properties")) {
      schema(property, Level.FIELD);
    }
    Value additional = schema.get("additionalProperties");
    if (additional.present() && level == Level.ROOT) {
      findings.forbidden(additional, "must not be used at the root");
    }
    schema(additional, Level.FIELD);
    extensions(schema);
    nested.valueValidation(
        schema, isIntOrString(schema.get("anyOf").node()), startsIntOrString(schema));
    type(schema, level);
    metadata(schema, level);
  }

  private void extensions(Value schema) {
    if (!schema.get("x-kubernetes-int-or-string").flag()) {
      return;
    }
    for (String other :
        new String[] {"x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"}) {
      if (schema.get(other).flag()) {
        findings.invalid(schema.get(other), "must be false if x-kubernetes-int-or-string is true");
      }
    }
  }

  private void type(Value schema, Level level) {
    Value type = schema.get("type");
    boolean embedded = schema.get("x-kubernetes-embedded-resource").flag();
    if (embedded && !type.is("object")) {
      String needed = "must be object if x-kubernetes-embedded-resource is true";
      if (type.filled()) {
        findings.invalid(type, needed);
      } else {
        findings.required(type, needed);
      }
    } else if (!type.filled()
        && !schema.get("x-kubernetes-int-or-string").flag()
        && !schema.get("x-kubernetes-preserve-unknown-fields").flag()) {
      findings.required(type, level.typeNeeded);
    }
    Value additional = schema.get("additionalProperties");
    if (embedded && additional.present()) {
      findings.forbidden(additional, "must not be used if x-kubernetes-embedded-resource is set");
    }
    if (level == Level.ROOT && type.filled() && !type.is("object")) {
      findings.invalid(type, "must be object at the root");
    }
    if (embedded
        && !schema.get("x-kubernetes-preserve-unknown-fields").flag()
        && schema.get("properties").size() == 0) {
      findings.required(
          schema.get("properties"),
          "must not be empty if x-kubernetes-embedded-resource is true without"
              + " x-kubernetes-preserve-unknown-fields");
    }
  }

  private void metadata(Value schema, Level level) {
    Value properties = schema.get("properties");
    boolean object = level == Level.ROOT || schema.get("x-kubernetes-embedded-resource").flag();
    if (object) {
      string(properties.key("kind"));
      string(properties.key("apiVersion"));
    }
    Value metadata = properties.key("metadata");
    if (metadata.absent()) {
      return;
    }
    if (object && !metadata.get("type").is("object")) {
      findings.invalid(metadata.get("type").orEmpty(), "must be object");
    }
    if (level == Level.ROOT && saysMore(metadata.map())) {
      findings.forbidden(
          metadata,
          "must not specify anything other than name and generateName, but metadata is implicitly"
              + " specified");
    }
  }

  private void string(Value property) {
    if (property.present() && !property.get("type").is("string")) {
      findings.invalid(property.get("type").orEmpty(), "must be string");
    }
  }

  /** Whether a schema of metadata constrains more than the names. */
  private static boolean saysMore(MapNode metadata) {
    MapNode rest =
        metadata.without("type").without("default").without("externalDocs").without("example");
    MapNode properties = rest.map("properties");
    int names = (properties.has("name") ? 1 : 0) + (properties.has("generateName") ? 1 : 0);
    return !(names == properties.size() ? rest.without("properties") : rest).isEmpty();
  }

  private static boolean isIntOrString(@Nullable Node anyOf) {
    if (!(anyOf instanceof Items items) || items.values().size() != 2) {
      return false;
    }
    List<Node> bare =
        items.values().stream()
            .<Node>map(
                each ->
                    each instanceof MapNode map
                        ? map.without("externalDocs").without("example")
                        : each)
            .toList();
    return new Items(bare).equals(INT_OR_STRING_ANY_OF);
  }

  private static boolean startsIntOrString(Value schema) {
    return isIntOrString(schema.get("allOf").at(0).get("anyOf").node());
  }
}
