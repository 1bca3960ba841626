package dev.keelson.cel.schema;

import dev.keelson.api.FieldCause;
import dev.keelson.cel.cost.Range;
import dev.keelson.cel.type.DataType;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.ListType;
import dev.keelson.schema.StructuralSchema;
import dev.keelson.value.GoQuote;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Checks the rules of a schema when its definition is made: they compile, their estimated costs are
 * within the limits, and {@code oldSelf} is used where old values are known (source:
 * apiextensions-apiserver/pkg/apis/apiextensions/validation). Used by one thread, for one schema.
 */
public final class SchemaChecks {

  /** Kubernetes' limit of the estimated cost of a rule, at all places that it may have. */
  private static final long RULE_LIMIT = 10_000_000;

  /** Kubernetes' limit of the estimated cost of all rules of a schema. */
  private static final long SCHEMA_LIMIT = 100_000_000;

  private static final String RULES = ".x-kubernetes-validations[";

  /** Maximum number of rules that are named when the schema costs too much. */
  private static final int MOST_NAMED = 4;

  /** An unknown number of elements. */
  private static final long UNBOUNDED = -1;

  private final boolean unchanged;
  private final Predicate<String> skipped;
  private final List<FieldCause> causes = new ArrayList<>();
  private final List<Expensive> expensive = new ArrayList<>();
  private long total;

  /** A rule that is a large part of the cost. */
  private record Expensive(String path, long cost) {}

  /**
   * A place.
   *
   * @param node the place's rules; null where expressions cannot see the value, and where there are
   *     no rules below
   * @param count how many values the object can have here; negative if that is not bounded
   * @param uncorrelatable the path of the list or object whose parts' old values are not known;
   *     null if there is none
   */
  private record At(
      StructuralSchema schema,
      String path,
      @Nullable RuleNode node,
      long count,
      @Nullable String uncorrelatable) {}

  private SchemaChecks(boolean unchanged, Predicate<String> skipped) {
    this.unchanged = unchanged;
    this.skipped = skipped;
  }

  /**
   * The causes to reject a schema. Rules of a place come after those below it, and the cost of the
   * whole schema comes last.
   *
   * @param schema the root of a custom resource
   * @param path the path of the schema, for example {@code spec.validation.openAPIV3Schema}
   * @param unchanged whether the definition had this schema before: costs of rules are not limited
   *     then
   * @param skipped whether the rules of the place at a path are left out, since the schema has
   *     other errors there or below
   */
  public static List<FieldCause> check(
      StructuralSchema schema, String path, boolean unchanged, Predicate<String> skipped) {
    if (!RuleNode.mentionsRules(schema.source())) {
      return List.of();
    }
    SchemaChecks checks = new SchemaChecks(unchanged, skipped);
    // the rules stay compiled for the objects to come
    checks.place(new At(schema, path, SchemaRules.checked(schema).root(), 1, null));
    checks.whole(path);
    return List.copyOf(checks.causes);
  }

  private void place(At at) {
    StructuralSchema schema = at.schema;
    long below = countBelow(at);
    RuleNode node = at.node;
    StructuralSchema values = schema.additionalProperties();
    if (values != null) {
      String path = at.path + ".additionalProperties";
      place(new At(values, path, node == null ? null : node.values(), below, at.uncorrelatable));
    }
    String uncorrelatableFields = at.uncorrelatable;
    if (uncorrelatableFields == null && !hasKnownMapType(schema)) {
      uncorrelatableFields = at.path;
    }
    for (Map.Entry<String, StructuralSchema> property : schema.properties().entrySet()) {
      String path = at.path + ".properties[" + property.getKey() + "]";
      RuleNode field = node == null ? null : node.properties().get(property.getKey());
      place(new At(property.getValue(), path, field, below, uncorrelatableFields));
    }
    if (schema.items() != null) {
      boolean correlatable = schema.listType() == ListType.MAP;
      String uncorrelatable = at.uncorrelatable;
      if (uncorrelatable == null && !correlatable) {
        uncorrelatable = at.path;
      }
      RuleNode items = node == null ? null : node.items();
      place(new At(schema.items(), at.path + ".items", items, below, uncorrelatable));
    }
    if (!schema.validations().isEmpty() && !skipped.test(at.path)) {
      rules(at);
    }
  }

  /** Whether the fields of an object can be found in its old value (MapIsCorrelatable). */
  private static boolean hasKnownMapType(StructuralSchema schema) {
    String type = schema.source().text("x-kubernetes-map-type");
    return type.isEmpty() || type.equals("granular") || type.equals("atomic");
  }

  private static long countBelow(At at) {
    MapNode source = at.schema.source();
    String limit =
        switch (source.text("type")) {
          case "array" -> "maxItems";
          case "object" -> source.has("additionalProperties") ? "maxProperties" : "";
          default -> "";
        };
    if (limit.isEmpty() || at.count == UNBOUNDED) {
      return at.count;
    }
    return source.get(limit) instanceof Node.Int most
        ? Range.product(at.count, Math.max(0, most.value()))
        : UNBOUNDED;
  }

  private void rules(At at) {
    StructuralSchema schema = at.schema;
    RuleNode node = at.node;
    if (node == null) {
      // the parent's type does not show the place, but it has a type of its own
      node = RuleNode.at(schema, schema.isEmbeddedResource());
    }
    if (node == null) {
      String problem = "internal error: failed to construct type information for";
      causes.add(
          new FieldCause(
              "InternalError",
              "Internal error: "
                  + problem
                  + " x-kubernetes-validations rules: unable to convert"
                  + " structural schema to CEL declarations",
              at.path + ".x-kubernetes-validations"));
      return;
    }
    List<Rule> rules = node.rules();
    for (int i = 0; i < rules.size(); i++) {
      rule(rules.get(i), at, node.type(), at.path + RULES + i + "]");
    }
  }

  private void rule(Rule rule, At at, DataType type, String path) {
    if (rule.program() != null) {
      long count = at.count == UNBOUNDED ? mostValues(type) : at.count;
      limit("estimated rule cost", Range.product(rule.cost(), count), path + ".rule");
    }
    if (!rule.error().isEmpty()) {
      causes.add(invalid(path + ".rule", shown(rule.source()), rule.error()));
    }
    if (!rule.messageError().isEmpty()) {
      causes.add(invalid(path + ".messageExpression", shown(rule.source()), rule.messageError()));
    } else if (rule.message() != null) {
      limit("estimated messageExpression cost", rule.messageCost(), path + ".messageExpression");
    }
    if (!rule.usesOldSelf()) {
      if (rule.source().get("optionalOldSelf") instanceof Node.Bool flag) {
        String shown = flag.name().toLowerCase(Locale.ROOT);
        String problem = "may not be set if oldSelf is not used in rule";
        causes.add(invalid(path + ".optionalOldSelf", shown, problem));
      }
    } else if (at.uncorrelatable != null) {
      causes.add(
          invalid(
              path + ".rule",
              GoQuote.quote(rule.source().text("rule")),
              "oldSelf cannot be used on the uncorrelatable portion of the schema within "
                  + at.uncorrelatable));
    }
  }

  /** How many values of a type fit into a request, each followed by a comma. */
  private static long mostValues(DataType type) {
    return SchemaTypes.REQUEST_BYTES / (type.minSize() + 1);
  }

  private void limit(String what, long cost, String path) {
    if (!unchanged && cost > RULE_LIMIT) {
      causes.add(FieldCause.forbidden(path, exceeded(what, cost, RULE_LIMIT)));
    }
    total = total > Long.MAX_VALUE - cost ? Long.MAX_VALUE : total + cost;
    if (cost >= SCHEMA_LIMIT / 100) {
      expensive.add(new Expensive(path, cost));
    }
  }

  private void whole(String path) {
    if (total <= SCHEMA_LIMIT) {
      return;
    }
    expensive.stream()
        .sorted(Comparator.comparingLong(Expensive::cost).reversed())
        .limit(MOST_NAMED)
        .forEach(
            one ->
                causes.add(
                    FieldCause.forbidden(
                        one.path,
                        "contributed to estimated rule cost total exceeding cost limit for entire"
                            + " OpenAPIv3 schema")));
    String what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
    causes.add(FieldCause.forbidden(path, exceeded(what, total, SCHEMA_LIMIT)));
  }

  private static String exceeded(String what, long cost, long limit) {
    double factor = (double) cost / limit;
    String shown =
        factor > 100
            ? "more than 100x"
            : String.format(Locale.ROOT, factor < 1.5 ? "%fx" : "%.1fx", factor);
    return what
        + " exceeds budget by factor of "
        + shown
        + " (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where"
        + " arrays, maps, and strings are declared)";
  }

  private static FieldCause invalid(String path, String shown, String detail) {
    return new FieldCause("FieldValueInvalid", "Invalid value: " + shown + ": " + detail, path);
  }

  /** The rule as Kubernetes shows it: its internal struct. */
  private static String shown(MapNode rule) {
    return "{\"Rule\":"
        + GoQuote.quote(rule.text("rule"))
        + ",\"Message\":"
        + GoQuote.quote(rule.text("message"))
        + ",\"MessageExpression\":"
        + GoQuote.quote(rule.text("messageExpression"))
        + ",\"Reason\":"
        + Optional.of(rule.text("reason"))
            .filter(text -> !text.isEmpty())
            .map(GoQuote::quote)
            .orElse("null")
        + ",\"FieldPath\":"
        + GoQuote.quote(rule.text("fieldPath"))
        + ",\"OptionalOldSelf\":"
        + (rule.get("optionalOldSelf") instanceof Node.Bool flag
            ? flag.name().toLowerCase(Locale.ROOT)
            : "null")
        + "}";
  }

  /** Whether a {@code fieldPath} of a rule leads to a field that the schema declares. */
  public static boolean isFieldPath(String path, StructuralSchema schema) {
    return FieldPaths.isValid(path, schema);
  }
}
