package dev.keelson.schema.defaulting;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.structural.StructuralDefaults;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Completes trees by their schema. A field that cannot tell "not set" from its zero value (no
 * pointer in Go) takes its default for a zero as well; structs that are held by value are completed
 * even where the client left them out, as in Kubernetes. Safe for use by several threads.
 */
public final class SchemaDefaults {

  /*
   * What has to be looked at in a struct is worked out once: the fields with a default and those
   * below which there is one. All else of a tree is not walked. A union has no defaults below it.
   */

  private final Function<String, Node> literals;
  private final Map<String, StructRule> rules;
  private final Map<StructSchema, Plan> plans = new ConcurrentHashMap<>();

  private record Plan(@Nullable StructRule rule, List<Step> steps) {
    boolean empty() {
      return rule == null && steps.isEmpty();
    }
  }

  /**
   * One field.
   *
   * @param fallback its default, or null
   * @param into whether values of the field have defaults of their own
   */
  private record Step(Field field, @Nullable Node fallback, boolean into) {

    boolean missing(@Nullable Node value) {
      return value == null || value == Node.Null.NULL || (!pointer() && isZero(value));
    }

    boolean pointer() {
      return field.presence() == Field.Presence.POINTER
          || field.presence() == Field.Presence.NULLABLE;
    }
  }

  /**
   * Defaulting by the schema, and by the rules of the built-in structs.
   *
   * @param literals reads a JSON value
   */
  public SchemaDefaults(Function<String, Node> literals) {
    this(literals, BuiltInRules.byStruct());
  }

  SchemaDefaults(Function<String, Node> literals, Map<String, StructRule> rules) {
    this.literals = literals;
    this.rules = Map.copyOf(rules);
  }

  /** The tree with its defaults; the same instance if nothing is missing. */
  public MapNode complete(MapNode tree, StructSchema schema) {
    CustomResourceVersion custom = CustomResourceVersion.of(schema);
    if (custom != null) {
      // types that come and go keep what is derived from them
      return StructuralDefaults.of(custom).complete(tree);
    }
    Plan plan = plan(schema);
    MapNode completed = plan.rule == null ? tree : plan.rule.complete(tree);
    for (Step step : plan.steps) {
      completed = complete(completed, step);
    }
    return completed;
  }

  private MapNode complete(MapNode struct, Step step) {
    String name = step.field.name();
    Node value = struct.get(name);
    Node next = value;
    if (step.fallback != null && step.missing(value)) {
      next = step.fallback;
    }
    if (step.into) {
      if (next != null && next != Node.Null.NULL) {
        next = inside(next, step.field.type());
      } else if (step.field.type() instanceof StructSchema held && !step.pointer()) {
        MapNode completed = complete(MapNode.EMPTY, held);
        next = completed.isEmpty() ? value : completed;
      }
    }
    return next == null || next == value ? struct : struct.with(name, next);
  }

  private Node inside(Node value, SchemaNode type) {
    return switch (type) {
      case StructSchema struct -> value instanceof MapNode map ? complete(map, struct) : value;
      case SchemaNode.ListOf list ->
          value instanceof Node.Items items ? elements(items, list.element()) : value;
      case SchemaNode.MapOf map ->
          value instanceof MapNode entries ? entries(entries, map.value()) : value;
      case SchemaNode.Scalar _, SchemaNode.Free _, SchemaNode.Union _, SchemaNode.Structural _ ->
          value;
    };
  }

  private Node elements(Node.Items items, SchemaNode type) {
    List<Node> completed = null;
    List<Node> values = items.values();
    for (int i = 0; i < values.size(); i++) {
      Node next = inside(values.get(i), type);
      if (next != values.get(i)) {
        completed = completed == null ? new ArrayList<>(values) : completed;
        completed.set(i, next);
      }
    }
    return completed == null ? items : new Node.Items(completed);
  }

  private MapNode entries(MapNode entries, SchemaNode type) {
    boolean same = true;
    MapNode.Builder completed = MapNode.builder(entries.size());
    for (int i = 0; i < entries.size(); i++) {
      Node next = inside(entries.valueAt(i), type);
      same &= next == entries.valueAt(i);
      completed.put(entries.keyAt(i), next);
    }
    return same ? entries : completed.build();
  }

  private Plan plan(StructSchema schema) {
    Plan known = plans.get(schema);
    if (known == null) {
      known = workOut(schema, new HashMap<>());
      plans.put(schema, known);
    }
    return known;
  }

  private Plan workOut(StructSchema schema, Map<StructSchema, Boolean> found) {
    List<Step> steps = new ArrayList<>();
    for (Field field : schema.fields()) {
      String literal = field.rules().defaultJson();
      Node fallback = literal.isEmpty() ? null : literals.apply(literal);
      if (fallback != null && field.presence() == Field.Presence.OMIT_EMPTY && isZero(fallback)) {
        // it is never written, so that setting it would make an update differ from what is stored
        fallback = null;
      }
      boolean into = hasDefaults(field.type(), found);
      if (fallback != null || into) {
        steps.add(new Step(field, fallback, into));
      }
    }
    return new Plan(rules.get(schema.name()), List.copyOf(steps));
  }

  /** Whether a struct that {@code type} contains, at any depth, has a default or a rule. */
  private boolean hasDefaults(SchemaNode type, Map<StructSchema, Boolean> found) {
    Set<StructSchema> seen = new HashSet<>();
    boolean has = hasDefaults(type, found, seen);
    if (!has) {
      // of a cycle only the whole is known to have none
      seen.forEach(struct -> found.put(struct, false));
    }
    return has;
  }

  private boolean hasDefaults(
      SchemaNode type, Map<StructSchema, Boolean> found, Set<StructSchema> seen) {
    return switch (type) {
      case StructSchema struct -> structHasDefaults(struct, found, seen);
      case SchemaNode.ListOf list -> hasDefaults(list.element(), found, seen);
      case SchemaNode.MapOf map -> hasDefaults(map.value(), found, seen);
      case SchemaNode.Scalar _, SchemaNode.Free _, SchemaNode.Union _, SchemaNode.Structural _ ->
          false;
    };
  }

  private boolean structHasDefaults(
      StructSchema struct, Map<StructSchema, Boolean> found, Set<StructSchema> seen) {
    Plan planned = plans.get(struct);
    if (planned != null) {
      return !planned.empty();
    }
    Boolean known = found.get(struct);
    if (known != null) {
      return known;
    }
    if (!seen.add(struct)) {
      return false;
    }
    boolean has = rules.containsKey(struct.name());
    for (Field field : struct.fields()) {
      has = has || !field.rules().defaultJson().isEmpty() || hasDefaults(field.type(), found, seen);
    }
    if (has) {
      found.put(struct, true);
    }
    return has;
  }

  private static boolean isZero(Node value) {
    return switch (value) {
      case Node.Text text -> text.value().isEmpty();
      case Node.Int number -> number.value() == 0;
      case Node.Decimal _ -> false;
      case Node.Bool bool -> !bool.value();
      case Node.Null _ -> true;
      case Node.Items items -> items.values().isEmpty();
      case MapNode map -> map.isEmpty();
    };
  }
}
