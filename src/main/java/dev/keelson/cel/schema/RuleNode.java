package dev.keelson.cel.schema;

import dev.keelson.cel.type.DataType;
import dev.keelson.cel.type.FieldNames;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.StructuralSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A place of a schema that has rules, or below which there are some. {@code allOf} may add rules to
 * a place, so a place can have several nodes. Rules are compiled on first use.
 */
final class RuleNode {

  private static final String RULES = "x-kubernetes-validations";

  private final StructuralSchema schema;
  private final DataType type;
  private final List<MapNode> sources;
  private final Map<String, RuleNode> properties = new TreeMap<>();
  private final List<RuleNode> allOf = new ArrayList<>();
  private @Nullable RuleNode values;
  private @Nullable RuleNode items;
  private volatile @Nullable List<Rule> rules;

  private RuleNode(StructuralSchema schema, DataType type, List<MapNode> sources) {
    this.schema = schema;
    this.type = type;
    this.sources = List.copyOf(sources);
  }

  /** The root of a custom resource; null if there are no rules. */
  static @Nullable RuleNode root(StructuralSchema schema) {
    return at(schema, /* root= */ true);
  }

  /**
   * The node of a place that is seen for itself; null if there are no rules there and below.
   *
   * @param root whether its values are objects with apiVersion, kind and metadata
   */
  static @Nullable RuleNode at(StructuralSchema schema, boolean root) {
    return mentionsRules(schema.source())
        ? SchemaTypes.of(schema, SchemaTypes.NAME, root)
            .map(type -> of(schema.source(), schema, type))
            .orElse(null)
        : null;
  }

  /** Whether a schema has rules somewhere, at a place that counts or not. */
  static boolean mentionsRules(Node node) {
    if (node instanceof Node.Items items) {
      return items.values().stream().anyMatch(RuleNode::mentionsRules);
    }
    if (!(node instanceof MapNode map)) {
      return false;
    }
    if (!map.items(RULES).isEmpty()) {
      return true;
    }
    for (int i = 0; i < map.size(); i++) {
      if (mentionsRules(map.valueAt(i))) {
        return true;
      }
    }
    return false;
  }

  /**
   * The node of a place.
   *
   * @param declared where the rules are: the source of the schema, or an element of allOf
   */
  private static @Nullable RuleNode of(MapNode declared, StructuralSchema schema, DataType type) {
    RuleNode node = new RuleNode(schema, type, declared.maps(RULES));
    declared
        .map("properties")
        .forEach(
            (name, property) -> {
              StructuralSchema known = schema.properties().get(name);
              if (known != null && property instanceof MapNode below) {
                Optional.ofNullable(node.property(name, below, known))
                    .ifPresent(found -> node.properties.put(name, found));
              }
            });
    if (declared.get("items") instanceof MapNode below
        && schema.items() != null
        && type.element() != null) {
      node.items = of(below, schema.items(), type.element());
    }
    if (declared.get("additionalProperties") instanceof MapNode below
        && schema.additionalProperties() != null
        && type.element() != null) {
      node.values = of(below, schema.additionalProperties(), type.element());
    }
    for (MapNode more : declared.maps("allOf")) {
      Optional.ofNullable(of(more, schema, type)).ifPresent(node.allOf::add);
    }
    return node.isUseless() ? null : node;
  }

  private @Nullable RuleNode property(String name, MapNode below, StructuralSchema known) {
    DataType field = type.fields().get(FieldNames.escape(name));
    if (field == null && !FieldNames.isNameable(name)) {
      // rules may be declared where the parent's rules cannot look
      field = SchemaTypes.of(known, type.name() + ".", known.isEmbeddedResource()).orElse(null);
    }
    return field == null ? null : of(below, known, field);
  }

  private boolean isUseless() {
    return sources.isEmpty()
        && properties.isEmpty()
        && allOf.isEmpty()
        && items == null
        && values == null;
  }

  StructuralSchema schema() {
    return schema;
  }

  DataType type() {
    return type;
  }

  /** The nodes of the fields that have rules. */
  Map<String, RuleNode> properties() {
    return properties;
  }

  List<RuleNode> allOf() {
    return allOf;
  }

  /** The node of the values of a map. */
  @Nullable RuleNode values() {
    return values;
  }

  /** The node of the elements of an array. */
  @Nullable RuleNode items() {
    return items;
  }

  /** The rules of this place, compiled. */
  List<Rule> rules() {
    List<Rule> known = rules;
    if (known == null) {
      // threads that meet here compile the same
      known = sources.isEmpty() ? List.of() : Rule.compile(sources, schema, type);
      rules = known;
    }
    return known;
  }
}
