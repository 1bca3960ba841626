package dev.keelson.schema.structural.validation;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.structural.ShownValue;
import dev.keelson.schema.structural.validation.ValueRules.Combination;
import dev.keelson.schema.structural.validation.ValueRules.Elements;
import dev.keelson.schema.structural.validation.ValueRules.Fields;
import dev.keelson.value.GoQuote;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks values against the rules of a schema, in the order of Kubernetes' validator (source:
 * kube-openapi, {@code pkg/validation/validate}).
 *
 * <p>Every check returns how many rules were looked at. Of several alternatives that all fail, the
 * one with the most is reported, so the counts follow those of the source exactly.
 */
final class ValueCheck {

  private ValueCheck() {}

  /**
   * Checks one value.
   *
   * @param correlation the value beside its old one: where both are the same, causes are dropped;
   *     null if there is none
   */
  static int check(
      ValueRules rules,
      Node value,
      Place at,
      @Nullable Correlation correlation,
      Findings findings) {
    if (correlation == null) {
      return apply(rules, value, at, null, findings);
    }
    Findings.Mark mark = findings.mark();
    int matches = apply(rules, value, at, correlation, findings);
    if (findings.hasMoreThan(mark) && correlation.isSame()) {
      findings.forget(mark);
    }
    return matches;
  }

  private static int apply(
      ValueRules rules,
      Node value,
      Place at,
      @Nullable Correlation correlation,
      Findings findings) {
    if (value == Node.Null.NULL) {
      int matches = type(rules, value, at, findings);
      enumeration(rules, value, at, findings);
      return matches;
    }
    int matches = 1;
    if (!rules.types.isEmpty() || !rules.format.isEmpty()) {
      matches += type(rules, value, at, findings) + 1;
    }
    matches += combination(rules.combination, value, at, correlation, findings) + 1;
    switch (value) {
      case Node.Text text -> {
        if (rules.strings != null) {
          rules.strings.check(text, at, findings);
        }
        matches++;
        if (!rules.format.isEmpty() && !Formats.isNumeric(rules.format)) {
          if (!Formats.matches(rules.format, text.value())) {
            findings.wrongType(at, rules.format, text.value());
          }
          matches++;
        }
      }
      case Node.Int _, Node.Decimal _ -> {
        if (rules.numbers != null) {
          rules.numbers.check(value, at, findings);
        }
        matches += 2;
      }
      case Items items -> matches += elements(rules.elements, items, at, correlation, findings) + 1;
      case MapNode _, Node.Bool _, Node.Null _ -> {}
    }
    enumeration(rules, value, at, findings);
    matches++;
    if (value instanceof MapNode map) {
      matches += fields(rules.fields, map, at, correlation, findings) + 1;
    }
    return matches;
  }

  private static void enumeration(ValueRules rules, Node value, Place at, Findings findings) {
    if (rules.enumeration != null) {
      rules.enumeration.check(value, at, findings);
    }
  }

  private static int type(ValueRules rules, Node value, Place at, Findings findings) {
    List<String> types = rules.types;
    String found = typeOf(value);
    if (value == Node.Null.NULL) {
      if (types.isEmpty() || types.contains("null") || rules.nullable) {
        return 1;
      }
      findings.wrongType(at, String.join(",", types), found);
      return 0;
    }
    boolean fits = types.contains(found) || (value instanceof Node.Int && types.contains("number"));
    boolean textual = value instanceof Node.Text || value instanceof Items;
    String format = rules.format;
    if (!textual && !format.isEmpty() && !fits && !formatOf(value).equals(format)) {
      findings.wrongType(at, format, formatOf(value));
      return 0;
    }
    if (textual && !format.isEmpty() && !types.contains("number") && !types.contains("integer")) {
      return 1;
    }
    if (!fits) {
      findings.wrongType(at, String.join(",", types), found);
      return 0;
    }
    return 1;
  }

  private static String typeOf(Node value) {
    return switch (value) {
      case Node.Text _ -> "string";
      case Node.Int _ -> "integer";
      case Node.Decimal _ -> "number";
      case Node.Bool _ -> "boolean";
      case Node.Null _ -> "null";
      case Items _ -> "array";
      case MapNode _ -> "object";
    };
  }

  private static String formatOf(Node value) {
    return switch (value) {
      case Node.Int _ -> "int64";
      case Node.Decimal _ -> "float64";
      case Node.Text _, Node.Bool _, Node.Null _, Items _, MapNode _ -> "";
    };
  }

  private static int elements(
      @Nullable Elements rules,
      Items items,
      Place at,
      @Nullable Correlation correlation,
      Findings findings) {
    if (rules == null) {
      return 1;
    }
    int matches = 1;
    List<Node> values = items.values();
    if (rules.rules() != null) {
      for (int i = 0; i < values.size(); i++) {
        matches +=
            check(
                rules.rules(),
                values.get(i),
                at.index(i),
                correlation == null ? null : correlation.element(i),
                findings);
      }
    }
    if (rules.least() != Limits.NONE && values.size() < rules.least()) {
      findings.invalid(
          at, new Node.Int(values.size()), "should have at least " + rules.least() + " items");
    }
    if (rules.most() != Limits.NONE && values.size() > rules.most()) {
      findings.tooMany(at, values.size(), rules.most());
    }
    if (rules.unique() && !areUnique(values)) {
      findings.invalid(at, Node.text(""), "shouldn't contain duplicates");
    }
    return matches;
  }

  private static boolean areUnique(List<Node> values) {
    Set<String> seen = new HashSet<>();
    return values.stream().allMatch(value -> seen.add(ShownValue.whole(value)));
  }

  private static int fields(
      @Nullable Fields rules,
      MapNode map,
      Place at,
      @Nullable Correlation correlation,
      Findings findings) {
    if (rules == null) {
      return 0;
    }
    if (rules.least() != Limits.NONE && map.size() < rules.least()) {
      findings.invalid(
          at, new Node.Int(map.size()), "should have at least " + rules.least() + " properties");
      return 0;
    }
    if (rules.most() != Limits.NONE && map.size() > rules.most()) {
      findings.tooMany(at, map.size(), rules.most());
      return 0;
    }
    int matches = 0;
    if (rules.othersForbidden() || rules.others() != null) {
      for (int i = 0; i < map.size(); i++) {
        String name = map.keyAt(i);
        if (rules.declared().containsKey(name)) {
          continue;
        }
        if (rules.others() == null) {
          findings.invalid(at, at.field(name), Node.text(name), "is a forbidden property");
        } else {
          matches += field(rules.others(), map.valueAt(i), name, at, correlation, findings);
        }
      }
    }
    for (int i = 0; i < map.size(); i++) {
      String name = map.keyAt(i);
      ValueRules declared = rules.declared().get(name);
      if (declared != null) {
        matches += field(declared, map.valueAt(i), name, at, correlation, findings);
      }
    }
    for (String name : rules.required()) {
      if (!map.has(name)) {
        findings.required(at.field(name));
      }
    }
    return matches;
  }

  private static int field(
      ValueRules rules,
      Node value,
      String name,
      Place at,
      @Nullable Correlation correlation,
      Findings findings) {
    boolean isType = at == Place.ROOT && (name.equals("kind") || name.equals("apiVersion"));
    return check(
        rules,
        value,
        at.field(name),
        correlation == null || isType ? null : correlation.field(name),
        findings);
  }

  private static int combination(
      @Nullable Combination rules,
      Node value,
      Place at,
      @Nullable Correlation correlation,
      Findings findings) {
    if (rules == null) {
      return 1;
    }
    int matches = 1;
    if (!rules.anyOf().isEmpty()) {
      matches += anyOf(rules.anyOf(), value, at, correlation, findings);
    }
    if (!rules.oneOf().isEmpty()) {
      matches += oneOf(rules.oneOf(), value, at, correlation, findings);
    }
    if (!rules.allOf().isEmpty()) {
      matches += allOf(rules.allOf(), value, at, correlation, findings);
    }
    if (rules.not() != null) {
      Findings without = findings.alternative();
      apply(rules.not(), value, at, correlation, without);
      if (without.isEmpty()) {
        findings.withoutField(GoQuote.quote(at.text()) + " must not validate the schema (not)");
      }
    }
    return matches;
  }

  private static int anyOf(
      List<ValueRules> alternatives,
      Node value,
      Place at,
      @Nullable Correlation correlation,
      Findings findings) {
    Findings best = null;
    int bestMatches = 0;
    for (ValueRules rules : alternatives) {
      Findings found = findings.alternative();
      int matches = apply(rules, value, at, correlation, found);
      if (found.isEmpty()) {
        return matches;
      }
      if (best == null || matches > bestMatches) {
        best = found;
        bestMatches = matches;
      }
    }
    findings.withoutField(GoQuote.quote(at.text()) + " must validate at least one schema (anyOf)");
    if (best != null) {
      findings.addAll(best);
    }
    return bestMatches;
  }

  private static int oneOf(
      List<ValueRules> alternatives,
      Node value,
      Place at,
      @Nullable Correlation correlation,
      Findings findings) {
    Findings best = null;
    int bestMatches = 0;
    int firstMatches = 0;
    int valid = 0;
    for (ValueRules rules : alternatives) {
      Findings found = findings.alternative();
      int matches = apply(rules, value, at, correlation, found);
      if (found.isEmpty()) {
        firstMatches = valid == 0 ? matches : firstMatches;
        valid++;
        best = null;
        bestMatches = 0;
      } else if (valid == 0 && (best == null || matches > bestMatches)) {
        best = found;
        bestMatches = matches;
      }
    }
    if (valid == 1) {
      return firstMatches;
    }
    findings.withoutField(
        GoQuote.quote(at.text())
            + " must validate one and only one schema (oneOf). Found "
            + (valid == 0 ? "none valid" : valid + " valid alternatives"));
    if (best != null) {
      findings.addAll(best);
    }
    return bestMatches;
  }

  private static int allOf(
      List<ValueRules> all,
      Node value,
      Place at,
      @Nullable Correlation correlation,
      Findings findings) {
    int matches = 0;
    int valid = 0;
    for (ValueRules rules : all) {
      Findings found = findings.alternative();
      matches += apply(rules, value, at, correlation, found);
      valid += found.isEmpty() ? 1 : 0;
      findings.addAll(found);
    }
    if (valid != all.size()) {
      findings.withoutField(
          GoQuote.quote(at.text())
              + " must validate all the schemas (allOf)"
              + (valid == 0 ? ". None validated" : ""));
    }
    return matches;
  }
}
