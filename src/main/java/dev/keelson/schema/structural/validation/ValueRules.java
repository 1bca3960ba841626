package dev.keelson.schema.structural.validation;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a schema asks of values, compiled from a tree of JSONSchemaProps. Immutable; safe for use by
 * several threads.
 */
final class ValueRules {

  private static final List<String> INT_OR_STRING = List.of("integer", "string");

  /** The types, of which one must fit; empty for any. */
  final List<String> types;

  final boolean nullable;

  /** The format as it is declared if it is checked, else empty. */
  final String format;

  final @Nullable Enumeration enumeration;
  final @Nullable NumberRules numbers;
  final @Nullable StringRules strings;
  final @Nullable Elements elements;
  final @Nullable Fields fields;
  final @Nullable Combination combination;

  /**
   * What is asked of arrays.
   *
   * @param rules of the elements, or null
   */
  record Elements(@Nullable ValueRules rules, long least, long most, boolean unique) {}

  /**
   * What is asked of objects.
   *
   * @param declared the rules of the declared fields
   * @param others the rules of other fields, or null
   * @param othersForbidden whether other fields are not allowed
   */
  record Fields(
      Map<String, ValueRules> declared,
      @Nullable ValueRules others,
      boolean othersForbidden,
      List<String> required,
      long least,
      long most) {}

  /** Schemas that apply to the same value. */
  record Combination(
      List<ValueRules> anyOf,
      List<ValueRules> oneOf,
      List<ValueRules> allOf,
      @Nullable ValueRules not) {}

  private ValueRules(MapNode schema) {
    String type = schema.text("type");
    this.types =
        schema.get("x-kubernetes-int-or-string") == Node.Bool.TRUE
            ? INT_OR_STRING
            : type.isEmpty() ? List.of() : List.of(type);
    this.nullable = schema.get("nullable") == Node.Bool.TRUE;
    this.format = Formats.isChecked(schema.text("format"), types) ? schema.text("format") : "";
    this.enumeration = Enumeration.of(schema);
    this.numbers =
        NumberRules.of(schema, type, Formats.isNumeric(format) ? format.replace("-", "") : "");
    this.strings = StringRules.of(schema);
    this.elements = elements(schema);
    this.fields = fields(schema);
    this.combination = combination(schema);
  }

  /** The rules of a schema. */
  static ValueRules of(MapNode schema) {
    return new ValueRules(schema);
  }

  private static @Nullable Elements elements(MapNode schema) {
    ValueRules rules = schema.get("items") instanceof MapNode items ? of(items) : null;
    long least = Limits.of(schema, "minItems");
    long most = Limits.of(schema, "maxItems");
    boolean unique = schema.get("uniqueItems") == Node.Bool.TRUE;
    return rules == null && least == Limits.NONE && most == Limits.NONE && !unique
        ? null
        : new Elements(rules, least, most, unique);
  }

  private static @Nullable Fields fields(MapNode schema) {
    Map<String, ValueRules> declared = new HashMap<>();
    schema
        .map("properties")
        .forEach(
            (name, property) ->
                declared.put(name, of(property instanceof MapNode map ? map : MapNode.EMPTY)));
    Node additional = schema.get("additionalProperties");
    ValueRules others = additional instanceof MapNode map ? of(map) : null;
    boolean forbidden = additional == Node.Bool.FALSE;
    List<String> required =
        schema.items("required").stream()
            .filter(Node.Text.class::isInstance)
            .map(name -> ((Node.Text) name).value())
            .toList();
    long least = Limits.of(schema, "minProperties");
    long most = Limits.of(schema, "maxProperties");
    return declared.isEmpty()
            && others == null
            && !forbidden
            && required.isEmpty()
            && least == Limits.NONE
            && most == Limits.NONE
        ? null
        : new Fields(declared, others, forbidden, required, least, most);
  }

  private static @Nullable Combination combination(MapNode schema) {
    List<ValueRules> anyOf = all(schema, "anyOf");
    List<ValueRules> oneOf = all(schema, "oneOf");
    List<ValueRules> allOf = all(schema, "allOf");
    ValueRules not = schema.get("not") instanceof MapNode map ? of(map) : null;
    return anyOf.isEmpty() && oneOf.isEmpty() && allOf.isEmpty() && not == null
        ? null
        : new Combination(anyOf, oneOf, allOf, not);
  }

  private static List<ValueRules> all(MapNode schema, String name) {
    List<ValueRules> rules = new ArrayList<>();
    schema.maps(name).forEach(each -> rules.add(of(each)));
    return List.copyOf(rules);
  }
}
