package dev.keelson.schema.validation.apiextensions;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.validation.PatternSize;
import dev.keelson.schema.validation.Value;

/** What is allowed in logical junctors: constraints of values, and nothing that declares them. */
final class NestedRules {

  private static final String[] EMPTY = {"title", "description"};
  private static final String[] FALSE = {
    "nullable",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string"
  };
  private static final String[] UNDEFINED = {"x-kubernetes-list-type", "x-kubernetes-map-type"};

  private final Findings findings;

  NestedRules(Findings findings) {
    this.findings = findings;
  }

  /**
   * Validates the junctors and the pattern of a schema.
   *
   * @param exceptAnyOf whether anyOf tells integers from strings
   * @param exceptFirstAnyOf whether the anyOf of the first allOf does
   */
  void valueValidation(Value schema, boolean exceptAnyOf, boolean exceptFirstAnyOf) {
    if (!exceptAnyOf) {
      for (Value each : schema.get("anyOf")) {
        nested(each, false);
      }
    }
    boolean except = exceptFirstAnyOf;
    for (Value each : schema.get("allOf")) {
      nested(each, except);
      except = false;
    }
    for (Value each : schema.get("oneOf")) {
      nested(each, false);
    }
    nested(schema.get("not"), false);
    Value pattern = schema.get("pattern");
    if (pattern.filled()) {
      String problem = patternProblem(pattern.text());
      if (!problem.isEmpty()) {
        findings.invalid(pattern, "must be a valid regular expression, but isn't: " + problem);
      }
    }
  }

  /** Go's message for what is wrong with a regular expression of RE2, empty if nothing is. */
  private static String patternProblem(String pattern) {
    String size = PatternSize.problem(pattern);
    if (!size.isEmpty()) {
      return size;
    }
    try {
      Pattern _ = Pattern.compile(pattern);
      return "";
    } catch (PatternSyntaxException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private void nested(Value schema, boolean exceptAnyOf) {
    if (!(schema.node() instanceof MapNode)) {
      return;
    }
    valueValidation(schema, exceptAnyOf, false);
    nested(schema.get("items"), false);
    for (Value property : schema.get("properties")) {
      nested(property, false);
    }
    if (schema.get("type").filled()) {
      findings.forbidden(schema.get("type"), "must be empty to be structural");
    }
    for (String keyword : new String[] {"additionalProperties", "default"}) {
      if (schema.get(keyword).present()) {
        findings.forbidden(schema.get(keyword), "must be undefined to be structural");
      }
    }
    for (String keyword : EMPTY) {
      if (schema.get(keyword).filled()) {
        findings.forbidden(schema.get(keyword), "must be empty to be structural");
      }
    }
    for (String keyword : FALSE) {
      if (schema.get(keyword).node() == Node.Bool.TRUE) {
        findings.forbidden(schema.get(keyword), "must be false to be structural");
      }
    }
    for (String keyword : UNDEFINED) {
      if (schema.get(keyword).present()) {
        findings.forbidden(schema.get(keyword), "must be undefined to be structural");
      }
    }
    for (String keyword : new String[] {"x-kubernetes-list-map-keys", "x-kubernetes-validations"}) {
      if (schema.get(keyword).size() > 0) {
        findings.forbidden(schema.get(keyword), "must be empty to be structural");
      }
    }
    Value metadata = schema.get("properties").key("metadata");
    if (metadata.present()) {
      findings.forbidden(metadata, "must not be specified in a nested context");
    }
  }

  /**
   * Requires that every field and element that a junctor of the root names is declared outside of
   * it (source: validateStructuralCompleteness). Junctors below are not looked at, as there.
   */
  void completeness(Value root) {
    declaredJunctors(root, root);
  }

  /**
   * Compares the junctors of a schema.
   *
   * @param constraint what has the junctors
   * @param declared the place that they are about
   */
  private void declaredJunctors(Value constraint, Value declared) {
    declared(constraint.get("not"), declared);
    for (String junctor : new String[] {"allOf", "anyOf", "oneOf"}) {
      for (Value each : constraint.get(junctor)) {
        declared(each, declared);
      }
    }
  }

  private void declared(Value constraint, Value declared) {
    if (!(constraint.node() instanceof MapNode)) {
      return;
    }
    if (!(declared.node() instanceof MapNode)) {
      findings.required(declared, "because it is defined in " + constraint.path());
      return;
    }
    declaredJunctors(constraint, declared);
    declared(constraint.get("items"), declared.get("items"));
    for (Value property : constraint.get("properties")) {
      declared(property, declared.get("properties").key(property.name()));
    }
  }
}
