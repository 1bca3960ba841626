package dev.keelson.schema.validation.apiextensions;

import dev.keelson.api.FieldCause;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.validation.Causes;
import dev.keelson.schema.validation.Value;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Tells why a schema cannot be read as a structural one (NewStructural), or is none. */
public final class StructuralForm {

  /** Maximum length of a message about a definition, in characters. */
  private static final int LONGEST_MESSAGE = 32 << 10;

  private StructuralForm() {}

  /**
   * Why the schemas of a definition are not structural.
   *
   * @param certain whether the schemas could be read; if not, one of them has keywords that
   *     structural schemas do not know
   */
  public record Violation(boolean certain, String message) {}

  /**
   * Checks the schemas of a stored definition for its condition NonStructuralSchema (source:
   * apiextensions-apiserver/pkg/controller/nonstructuralschema, calculateCondition).
   *
   * @param type the schema of CustomResourceDefinition
   * @return empty if the schemas are structural and unknown fields are pruned
   */
  public static Optional<Violation> violation(MapNode definition, StructSchema type) {
    Causes causes = new Causes();
    Value spec = Value.root(definition, causes, type).get("spec");
    Value preserve = spec.get("preserveUnknownFields");
    if (preserve.flag()) {
      preserve.invalid("must be false");
    }
    for (Value version : spec.get("versions")) {
      Value root = version.get("schema", "openAPIV3Schema");
      String unreadable = problem(root.node());
      if (!unreadable.isEmpty()) {
        String name = version.get("name").text();
        String what = "failed to check validation schema for version " + name + ": " + unreadable;
        return Optional.of(new Violation(false, what));
      }
      Findings findings = new Findings();
      StructuralRules.validate(root, findings);
      findings.report();
    }
    return Optional.of(causes.found())
        .filter(found -> !found.isEmpty())
        .map(found -> new Violation(true, joined(found)));
  }

  /** Whether a root schema is not structural. */
  static boolean isBroken(Value schema) {
    if (!problem(schema.node()).isEmpty()) {
      return true;
    }
    Findings findings = new Findings();
    StructuralRules.validate(schema, findings);
    return !findings.isEmpty();
  }

  /** The causes as Go shows several errors. */
  private static String joined(List<FieldCause> causes) {
    if (causes.size() == 1) {
      return causes.getFirst().summary();
    }
    StringJoiner all = new StringJoiner(", ", "[", "]");
    for (FieldCause cause : causes) {
      if (all.length() > LONGEST_MESSAGE) {
        break;
      }
      all.add(cause.summary());
    }
    return all.toString();
  }

  /** The first reason, empty if there is none. */
  static String problem(@Nullable Node schema) {
    return schema instanceof MapNode map ? problemOf(map) : "";
  }

  private static String problemOf(MapNode schema) {
    String unsupported = unsupported(schema);
    if (!unsupported.isEmpty()) {
      return "OpenAPIV3Schema '" + unsupported + "' is not supported";
    }
    String found = nested(schema.get("not"));
    found = found.isEmpty() ? eachNested(schema.get("allOf")) : found;
    found = found.isEmpty() ? eachNested(schema.get("anyOf")) : found;
    found = found.isEmpty() ? eachNested(schema.get("oneOf")) : found;
    found = found.isEmpty() ? below(schema.get("additionalProperties")) : found;
    if (found.isEmpty() && schema.get("x-kubernetes-preserve-unknown-fields") == Node.Bool.FALSE) {
      return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
    }
    if (found.isEmpty() && schema.get("items") instanceof Items) {
      return "OpenAPIV3Schema 'items' must be a schema, but is an array";
    }
    found = found.isEmpty() ? below(schema.get("items")) : found;
    MapNode properties = schema.map("properties");
    for (int i = 0; i < properties.size() && found.isEmpty(); i++) {
      found = below(properties.valueAt(i));
    }
    return found;
  }

  private static String unsupported(MapNode schema) {
    if (!schema.text("id").isEmpty()) {
      return "id";
    }
    if (!schema.text("$schema").isEmpty()) {
      return "schema";
    }
    if (!schema.text("$ref").isEmpty()) {
      return "$ref";
    }
    if (!schema.map("patternProperties").isEmpty()) {
      return "patternProperties";
    }
    if (!schema.map("dependencies").isEmpty()) {
      return "dependencies";
    }
    if (schema.has("additionalItems")) {
      return "additionalItems";
    }
    return schema.map("definitions").isEmpty() ? "" : "definitions";
  }

  private static String below(@Nullable Node schema) {
    return schema instanceof MapNode map ? problemOf(map) : "";
  }

  private static String nested(@Nullable Node schema) {
    return below(schema);
  }

  private static String eachNested(@Nullable Node list) {
    String found = "";
    if (list instanceof Items items) {
      for (int i = 0; i < items.values().size() && found.isEmpty(); i++) {
        found = nested(items.values().get(i));
      }
    }
    return found;
  }
}
