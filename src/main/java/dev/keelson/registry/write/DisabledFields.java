package dev.keelson.registry.write;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.DerivedBySchema;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.StructSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Drops the fields whose feature gates are off from objects that are written, unless the stored
 * object already uses the feature (source: {@code dropDisabledFields} of kube-apiserver's
 * strategies). The schema marks such fields ({@code disabled} of {@code keelson.field}), in their
 * own struct, so that they are dropped from pods and from the pod templates of every type. A
 * pointer to a struct that had nothing else goes with them. Safe for use by several threads.
 */
final class DisabledFields {

  /** A disabled field. */
  private record Gated(StructSchema struct, String field) {}

  /**
   * A struct below a field.
   *
   * @param inMap whether the field is a map of it
   * @param pointer whether the field is a pointer to it, which is nil without any of its fields
   */
  private record Below(StructSchema struct, boolean inMap, boolean pointer) {}

  /**
   * Where the disabled fields of a struct are.
   *
   * @param struct as its type declares it
   * @param disabled the fields to drop
   * @param below the fields with structs that have some, directly or further below
   */
  private record Plan(StructSchema struct, Set<String> disabled, Map<String, Below> below) {
    boolean empty() {
      return disabled.isEmpty() && below.isEmpty();
    }
  }

  private final DerivedBySchema<Plan> plans = new DerivedBySchema<>(Plan.class);

  /**
   * The object without its disabled fields.
   *
   * @param current the stored object, which keeps the features that it uses; null for a new object
   */
  ApiObject dropDisabledFields(StructSchema schema, ApiObject object, @Nullable ApiObject current) {
    if (plan(schema).empty()) {
      return object;
    }
    MapNode kept = without(object.root(), schema, Set.of());
    if (kept == object.root()) {
      // the common case: the stored object is not searched
      return object;
    }
    if (current != null) {
      Set<Gated> used = new HashSet<>();
      collect(current.root(), schema, used);
      kept = without(object.root(), schema, used);
    }
    return new ApiObject(kept);
  }

  private void collect(Node value, StructSchema schema, Set<Gated> used) {
    if (value instanceof Node.Items items) {
      items.values().forEach(item -> collect(item, schema, used));
    }
    if (!(value instanceof MapNode map)) {
      return;
    }
    Plan plan = plan(schema);
    for (String field : plan.disabled) {
      if (map.has(field)) {
        used.add(new Gated(plan.struct, field));
      }
    }
    for (Map.Entry<String, Below> below : plan.below.entrySet()) {
      Node inner = map.get(below.getKey());
      if (below.getValue().inMap() && inner instanceof MapNode entries) {
        for (int i = 0; i < entries.size(); i++) {
          collect(entries.valueAt(i), below.getValue().struct(), used);
        }
      } else if (inner != null) {
        collect(inner, below.getValue().struct(), used);
      }
    }
  }

  /** {@code map} itself if it has no such field. */
  private MapNode without(MapNode map, StructSchema schema, Set<Gated> used) {
    Plan plan = plan(schema);
    MapNode kept = map;
    for (String field : plan.disabled) {
      if (kept.has(field) && !used.contains(new Gated(plan.struct, field))) {
        kept = kept.without(field);
      }
    }
    for (Map.Entry<String, Below> below : plan.below.entrySet()) {
      Node value = kept.get(below.getKey());
      if (value != null) {
        Node rest =
            below.getValue().inMap() && value instanceof MapNode entries
                ? withoutInEntries(entries, below.getValue().struct(), used)
                : without(value, below.getValue().struct(), used);
        if (rest != value) {
          kept =
              rest instanceof MapNode none && none.isEmpty() && below.getValue().pointer()
                  ? kept.without(below.getKey())
                  : kept.with(below.getKey(), rest);
        }
      }
    }
    return kept;
  }

  private MapNode withoutInEntries(MapNode entries, StructSchema schema, Set<Gated> used) {
    boolean same = true;
    MapNode.Builder kept = MapNode.builder(entries.size());
    for (int i = 0; i < entries.size(); i++) {
      Node rest = without(entries.valueAt(i), schema, used);
      same &= rest == entries.valueAt(i);
      kept.put(entries.keyAt(i), rest);
    }
    return same ? entries : kept.build();
  }

  private Node without(Node value, StructSchema schema, Set<Gated> used) {
    if (value instanceof MapNode map) {
      return without(map, schema, used);
    }
    if (!(value instanceof Node.Items items)) {
      return value;
    }
    List<Node> kept = new ArrayList<>(items.values().size());
    boolean changed = false;
    for (Node item : items.values()) {
      Node rest = without(item, schema, used);
      changed |= rest != item;
      kept.add(rest);
    }
    return changed ? new Node.Items(kept) : value;
  }

  private Plan plan(StructSchema schema) {
    return plans.of(schema, DisabledFields::made);
  }

  private static Plan made(StructSchema schema) {
    Map<String, Below> below = new HashMap<>();
    for (Field field : schema.fields()) {
      StructSchema struct = structIn(field.type());
      if (struct != null && reaches(struct, new HashSet<>())) {
        below.put(
            field.name(),
            new Below(
                struct,
                field.type() instanceof SchemaNode.MapOf,
                field.presence() == Field.Presence.POINTER
                    && field.type() instanceof StructSchema));
      }
    }
    return new Plan(schema.declared(), disabled(schema), Map.copyOf(below));
  }

  private static Set<String> disabled(StructSchema schema) {
    return schema.fields().stream()
        .filter(field -> field.rules().disabled())
        .map(Field::name)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static boolean reaches(StructSchema schema, Set<StructSchema> seen) {
    if (!seen.add(schema)) {
      return false;
    }
    for (Field field : schema.fields()) {
      if (field.rules().disabled()) {
        return true;
      }
      StructSchema struct = structIn(field.type());
      if (struct != null && reaches(struct, seen)) {
        return true;
      }
    }
    return false;
  }

  /** The struct that a field holds, directly, in a list or in a map. */
  private static @Nullable StructSchema structIn(SchemaNode type) {
    return switch (type) {
      case StructSchema struct -> struct;
      case SchemaNode.ListOf list -> structIn(list.element());
      case SchemaNode.MapOf map -> structIn(map.value());
      case SchemaNode.Scalar _, SchemaNode.Free _, SchemaNode.Union _, SchemaNode.Structural _ ->
          null;
    };
  }
}
