package dev.keelson.schema.structural;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Null;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.StructuralSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Fills in the defaults of a structural schema: missing fields, and null where it is not a value
 * (source: {@code defaulting} of apiextensions-apiserver). Fields of an object that is missing
 * itself are not filled in. Immutable; safe for use by several threads.
 */
public final class StructuralDefaults {

  /** Nothing is filled in. */
  private static final StructuralDefaults NONE =
      new StructuralDefaults(Map.of(), Map.of(), null, null);

  /** What an embedded resource has without a schema of it. */
  private static final Set<String> TYPE_FIELDS = Set.of("apiVersion", "kind", "metadata");

  /** The fields with a default; in the order of their names. */
  private final Map<String, Place> missing;

  /** What is filled in below the declared fields; those without any are mapped to {@link #NONE}. */
  private final Map<String, StructuralDefaults> fields;

  private final @Nullable Place values;
  private final @Nullable Place elements;

  /**
   * A place whose value may be replaced, or completed.
   *
   * @param fallback its default in normal form, or null
   * @param below what is filled in below it
   */
  private record Place(@Nullable Node fallback, boolean nullable, StructuralDefaults below) {

    static Place of(StructuralSchema schema, boolean type, StructuralDefaults below) {
      Node fallback = schema.defaultValue();
      return new Place(
          fallback == null || fallback == Null.NULL ? null : kept(fallback, schema, type),
          schema.nullable(),
          below);
    }

    private static Node kept(Node fallback, StructuralSchema schema, boolean type) {
      Node normal = NormalForm.of(fallback);
      return type ? normal : Pruning.value(normal, schema);
    }

    boolean idle() {
      return fallback == null && below == NONE;
    }

    Node complete(Node value) {
      Node set = value == Null.NULL && !nullable && fallback != null ? fallback : value;
      return below.complete(set);
    }
  }

  private StructuralDefaults(
      Map<String, Place> missing,
      Map<String, StructuralDefaults> fields,
      @Nullable Place values,
      @Nullable Place elements) {
    this.missing = missing;
    this.fields = fields;
    this.values = values;
    this.elements = elements;
  }

  /** The defaults of a version; compiled once. */
  public static StructuralDefaults of(CustomResourceVersion version) {
    return version.derived(StructuralDefaults.class, () -> compile(version.schema()));
  }

  /** The defaults of a schema. */
  public static StructuralDefaults compile(StructuralSchema schema) {
    return compile(schema, false);
  }

  /**
   * @param type whether this is part of the type or the metadata of an embedded resource: nothing
   *     there is unknown, whatever the schema says
   */
  private static StructuralDefaults compile(StructuralSchema schema, boolean type) {
    Map<String, Place> missing = new LinkedHashMap<>();
    Map<String, StructuralDefaults> fields = new HashMap<>();
    boolean inType = type && !schema.isEmbeddedResource();
    boolean any = false;
    for (Map.Entry<String, StructuralSchema> property : schema.properties().entrySet()) {
      StructuralSchema value = property.getValue();
      boolean typeBelow =
          inType || (schema.isEmbeddedResource() && TYPE_FIELDS.contains(property.getKey()));
      StructuralDefaults below = compile(value, typeBelow);
      Place place = Place.of(value, typeBelow, below);
      if (place.fallback != null) {
        missing.put(property.getKey(), place);
      }
      fields.put(property.getKey(), below);
      any |= !place.idle();
    }
    Place values = place(schema.additionalProperties(), inType);
    Place elements = place(schema.items(), inType);
    return any || values != null || elements != null
        ? new StructuralDefaults(missing, fields, values, elements)
        : NONE;
  }

  private static @Nullable Place place(@Nullable StructuralSchema schema, boolean type) {
    Place place = schema == null ? null : Place.of(schema, type, compile(schema, type));
    return place == null || place.idle() ? null : place;
  }

  /** Whether nothing is ever filled in. */
  public boolean isEmpty() {
    return this == NONE;
  }

  /** The object with its defaults; the same instance if nothing is missing. */
  public MapNode complete(MapNode object) {
    if (isEmpty()) {
      return object;
    }
    MapNode.@Nullable Builder changed = null;
    for (int i = 0; i < object.size(); i++) {
      Node before = object.valueAt(i);
      Node after = entry(object.keyAt(i), before);
      if (after != before && changed == null) {
        changed = MapNode.builder(object.size() + missing.size());
        for (int j = 0; j < i; j++) {
          changed.put(object.keyAt(j), object.valueAt(j));
        }
      }
      if (changed != null) {
        changed.put(object.keyAt(i), after);
      }
    }
    return withMissing(object, changed == null ? object : changed.build());
  }

  private Node entry(String key, Node value) {
    Place place = missing.get(key);
    if (place != null) {
      return place.complete(value);
    }
    StructuralDefaults below = fields.get(key);
    if (below != null) {
      return below.complete(value);
    }
    return values == null ? value : values.complete(value);
  }

  private MapNode withMissing(MapNode object, MapNode completed) {
    MapNode.@Nullable Builder more = null;
    for (Map.Entry<String, Place> entry : missing.entrySet()) {
      Place place = entry.getValue();
      if (place.fallback != null && !object.has(entry.getKey())) {
        if (more == null) {
          more = MapNode.builder(completed.size() + missing.size());
          completed.forEach(more::put);
        }
        more.put(entry.getKey(), place.below.complete(place.fallback));
      }
    }
    return more == null ? completed : more.build();
  }

  private Node complete(Node value) {
    if (isEmpty()) {
      return value;
    }
    return switch (value) {
      case MapNode map -> complete(map);
      case Items items -> elements == null ? items : elements(items, elements);
      case Node.Text _, Node.Int _, Node.Decimal _, Node.Bool _, Null _ -> value;
    };
  }

  private static Items elements(Items items, Place place) {
    List<Node> values = items.values();
    @Nullable List<Node> changed = null;
    for (int i = 0; i < values.size(); i++) {
      Node after = place.complete(values.get(i));
      if (after != values.get(i)) {
        changed = changed == null ? new ArrayList<>(values) : changed;
        changed.set(i, after);
      }
    }
    return changed == null ? items : new Items(changed);
  }
}
