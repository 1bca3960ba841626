package dev.keelson.schema.codec.tree;

import dev.keelson.object.GoText;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Null;
import dev.keelson.object.Node.Text;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.StructuralSchema;
import dev.keelson.schema.codec.tree.DecodeException.Fault;
import dev.keelson.schema.structural.NormalForm;
import dev.keelson.schema.structural.ShownValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Types the metadata of objects that are embedded in custom objects ({@code
 * x-kubernetes-embedded-resource}): it is an ObjectMeta, whatever the schema declares (source:
 * {@code objectmeta.Coerce} of apiextensions-apiserver). Used once, by one thread.
 */
final class EmbeddedMetadata {

  /** What to do with a value of the wrong type. */
  enum Malformed {
    /** It is an error: a client sent it. */
    REJECTED,
    /** It is dropped: it was stored, or made by other parts of the server. */
    DROPPED
  }

  /** Types metadata. */
  @FunctionalInterface
  interface Reader {
    /**
     * The metadata as a tree of the ObjectMeta.
     *
     * @param path where it is
     * @throws DecodeException if a value has not the type that its field asks for
     */
    MapNode typed(MapNode metadata, FieldPath path, @Nullable Problems problems);
  }

  /** Whether objects are embedded anywhere in a version. */
  private record Presence(boolean any) {}

  private final Reader reader;
  private final Malformed malformed;
  private final @Nullable Problems problems;
  private final FieldPath path = new FieldPath();

  /**
   * For one object.
   *
   * @param problems receives the unknown fields; null if they are ignored
   */
  EmbeddedMetadata(Reader reader, Malformed malformed, @Nullable Problems problems) {
    this.reader = reader;
    this.malformed = malformed;
    this.problems = problems;
  }

  /** Whether the objects of a version embed others, so that there is something to type. */
  static boolean isIn(CustomResourceVersion version) {
    return version.derived(Presence.class, () -> new Presence(isBelow(version.schema()))).any();
  }

  private static boolean isIn(@Nullable StructuralSchema schema) {
    return schema != null && (schema.isEmbeddedResource() || isBelow(schema));
  }

  private static boolean isBelow(StructuralSchema schema) {
    return isIn(schema.additionalProperties())
        || isIn(schema.items())
        || schema.properties().values().stream().anyMatch(EmbeddedMetadata::isIn);
  }

  /** The object with typed metadata in all that it embeds; the same instance if they are typed. */
  MapNode in(MapNode root, StructuralSchema schema) {
    return map(root, schema, /* embedded= */ false);
  }

  private Node node(Node value, StructuralSchema schema) {
    return switch (value) {
      case MapNode map -> map(map, schema, schema.isEmbeddedResource());
      case Items items -> items(items, schema.items());
      case Text _, Node.Int _, Node.Decimal _, Node.Bool _, Null _ -> value;
    };
  }

  private Items items(Items items, @Nullable StructuralSchema element) {
    if (element == null) {
      return items;
    }
    List<Node> values = items.values();
    @Nullable List<Node> changed = null;
    for (int i = 0; i < values.size(); i++) {
      path.index(i);
      Node after = node(values.get(i), element);
      path.pop();
      if (after != values.get(i)) {
        changed = changed == null ? new ArrayList<>(values) : changed;
        changed.set(i, after);
      }
    }
    return changed == null ? items : new Items(changed);
  }

  private MapNode map(MapNode map, StructuralSchema schema, boolean embedded) {
    MapNode.@Nullable Builder changed = null;
    for (int i = 0; i < map.size(); i++) {
      String key = map.keyAt(i);
      Node before = map.valueAt(i);
      path.field(key);
      Node after = entry(key, before, schema, embedded);
      path.pop();
      if (after != before && changed == null) {
        changed = MapNode.builder(map.size());
        for (int j = 0; j < i; j++) {
          changed.put(map.keyAt(j), map.valueAt(j));
        }
      }
      if (changed != null && after != null) {
        changed.put(key, after);
      }
    }
    return changed == null ? map : changed.build();
  }

  /** What stays of an entry; null if it is dropped. */
  private @Nullable Node entry(String key, Node value, StructuralSchema schema, boolean embedded) {
    if (embedded && key.equals("metadata")) {
      return metadata(value);
    }
    if (embedded && (key.equals("apiVersion") || key.equals("kind"))) {
      if (value instanceof Text) {
        return value;
      }
      if (malformed == Malformed.DROPPED) {
        return null;
      }
      throw invalid(value, "must be a string");
    }
    StructuralSchema place = schema.properties().get(key);
    place = place == null ? schema.additionalProperties() : place;
    return place == null ? value : node(value, place);
  }

  private Node metadata(Node value) {
    if (value == Null.NULL) {
      return MapNode.EMPTY;
    }
    if (!(value instanceof MapNode map)) {
      if (malformed == Malformed.DROPPED) {
        return value;
      }
      throw invalid(
          value,
          "json: cannot unmarshal "
              + GoText.jsonType(value)
              + " into Go value of type v1.ObjectMeta");
    }
    try {
      MapNode sorted = NormalForm.of(form(map));
      return sorted.equals(map) ? NormalForm.of(map) : sorted;
    } catch (DecodeException e) {
      throw invalid(value, e.text());
    }
  }

  /**
   * The typed metadata.
   *
   * @throws DecodeException if a field has the wrong type, unless it is to be dropped
   */
  MapNode form(MapNode metadata) {
    if (malformed == Malformed.REJECTED) {
      return typed(metadata);
    }
    try {
      return typed(metadata);
    } catch (DecodeException e) {
      return typed(wellFormed(metadata));
    }
  }

  private MapNode typed(MapNode metadata) {
    path.hide();
    try {
      return reader.typed(metadata, path, problems);
    } finally {
      path.show();
    }
  }

  /** The fields of the right types. */
  private MapNode wellFormed(MapNode metadata) {
    MapNode.Builder kept = MapNode.builder(metadata.size());
    for (int i = 0; i < metadata.size(); i++) {
      try {
        typed(MapNode.of(metadata.keyAt(i), metadata.valueAt(i))).forEach(kept::set);
      } catch (DecodeException malformedField) {
        // left out, as the coercion of kube-apiserver does
      }
    }
    return kept.build();
  }

  private DecodeException invalid(Node value, String detail) {
    return new DecodeException(
        Fault.SHAPE, path.text() + ": Invalid value: " + ShownValue.of(value) + ": " + detail);
  }
}
