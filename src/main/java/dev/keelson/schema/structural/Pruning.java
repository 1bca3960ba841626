package dev.keelson.schema.structural;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Null;
import dev.keelson.schema.StructuralSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Removes what a structural schema does not declare: unknown fields, and null where it is neither a
 * value nor stands for a default (source: {@code pruning} and {@code
 * PruneNonNullableNullsWithoutDefaults} of apiextensions-apiserver). A result shares the parts of
 * the value that stay, and is the value itself if nothing is removed.
 *
 * <p>A value of the wrong type is left for validation. The type and the metadata of the object, and
 * of embedded objects, stay whatever the schema declares.
 */
public final class Pruning {

  private final @Nullable UnknownFields unknown;

  private Pruning(@Nullable UnknownFields unknown) {
    this.unknown = unknown;
  }

  /** Prunes a whole object by the schema of its version. */
  public static MapNode object(MapNode object, StructuralSchema schema) {
    return new Pruning(null).map(object, schema, schema.preservesUnknownFields(), true);
  }

  /**
   * Prunes a whole object by the schema of its version.
   *
   * @param unknown receives the paths of the unknown fields
   */
  public static MapNode object(MapNode object, StructuralSchema schema, UnknownFields unknown) {
    return new Pruning(unknown).map(object, schema, schema.preservesUnknownFields(), true);
  }

  /**
   * Prunes the value of one place.
   *
   * @param unknown receives the paths of the unknown fields
   */
  public static Node value(Node value, StructuralSchema schema, UnknownFields unknown) {
    return new Pruning(unknown).node(value, schema, false);
  }

  /** Prunes the value of one place. */
  public static Node value(Node value, StructuralSchema schema) {
    return new Pruning(null).node(value, schema, false);
  }

  /**
   * Prunes a value.
   *
   * @param schema null where the value is not declared: all fields of objects are unknown
   * @param open whether the place above keeps unknown fields, which includes those of the elements
   *     of arrays
   */
  private Node node(Node value, @Nullable StructuralSchema schema, boolean open) {
    boolean keeps = open || (schema != null && schema.preservesUnknownFields());
    return switch (value) {
      case MapNode map ->
          schema == null
              ? undeclared(map, keeps)
              : map(map, schema, keeps, schema.isEmbeddedResource());
      case Items items -> items(items, schema == null ? null : schema.items(), keeps);
      case Node.Text _, Node.Int _, Node.Decimal _, Node.Bool _, Null _ -> value;
    };
  }

  private MapNode undeclared(MapNode map, boolean open) {
    if (open) {
      return map;
    }
    if (unknown != null) {
      map.forEach((key, _) -> unknown.add(key));
    }
    return MapNode.EMPTY;
  }

  private Items items(Items items, @Nullable StructuralSchema element, boolean open) {
    if (open && element == null) {
      return items;
    }
    List<Node> values = items.values();
    @Nullable List<Node> changed = null;
    for (int i = 0; i < values.size(); i++) {
      Node before = values.get(i);
      if (!(before instanceof MapNode || before instanceof Items)) {
        continue;
      }
      if (unknown != null) {
        unknown.enter(i);
      }
      Node after = node(before, element, open);
      if (unknown != null) {
        unknown.leave();
      }
      if (after != before) {
        changed = changed == null ? new ArrayList<>(values) : changed;
        changed.set(i, after);
      }
    }
    return changed == null ? items : new Items(changed);
  }

  private MapNode map(MapNode map, StructuralSchema schema, boolean open, boolean embedded) {
    Map<String, StructuralSchema> properties = schema.properties();
    MapNode.@Nullable Builder changed = null;
    for (int i = 0; i < map.size(); i++) {
      String key = map.keyAt(i);
      Node before = map.valueAt(i);
      StructuralSchema declared = properties.get(key);
      boolean known = declared != null || schema.declaresAdditionalProperties();
      StructuralSchema place = declared == null ? schema.additionalProperties() : declared;
      Node after;
      if (before == Null.NULL && place != null && isNoValue(place)) {
        after = null;
      } else if (embedded && isMeta(key)) {
        after = before;
      } else if (known) {
        after = entry(key, before, place);
      } else {
        after = open ? before : null;
        if (!open && unknown != null) {
          unknown.add(key);
        }
      }
      if (after != before && changed == null) {
        changed = copy(map, i);
      }
      if (changed != null && after != null) {
        changed.put(key, after);
      }
    }
    return changed == null ? map : changed.build();
  }

  private Node entry(String key, Node value, @Nullable StructuralSchema schema) {
    if (!(value instanceof MapNode || value instanceof Items)) {
      return value;
    }
    if (unknown == null) {
      return node(value, schema, false);
    }
    unknown.enter(key);
    Node pruned = node(value, schema, false);
    unknown.leave();
    return pruned;
  }

  private static boolean isNoValue(StructuralSchema schema) {
    Node fallback = schema.defaultValue();
    return !schema.nullable() && (fallback == null || fallback == Null.NULL);
  }

  private static boolean isMeta(String key) {
    return key.equals("metadata") || key.equals("apiVersion") || key.equals("kind");
  }

  private static MapNode.Builder copy(MapNode map, int entries) {
    MapNode.Builder builder = MapNode.builder(map.size());
    for (int i = 0; i < entries; i++) {
      builder.put(map.keyAt(i), map.valueAt(i));
    }
    return builder;
  }
}
