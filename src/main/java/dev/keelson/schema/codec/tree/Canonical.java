package dev.keelson.schema.codec.tree;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Null;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.Free;
import dev.keelson.schema.SchemaNode.ListOf;
import dev.keelson.schema.SchemaNode.MapOf;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.SchemaNode.Structural;
import dev.keelson.schema.Unions;
import dev.keelson.schema.codec.tree.EmbeddedMetadata.Malformed;
import dev.keelson.schema.structural.NormalForm;
import dev.keelson.schema.structural.Pruning;
import dev.keelson.value.Utf8Order;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The order and completeness that Kubernetes' JSON has, restored after a tree was edited: fields as
 * declared, maps by key, empty values that are not printed dropped, values that are printed unasked
 * added. Scalars are left alone. Values of custom objects are pruned and brought into their normal
 * form, as if they had been stored and read again.
 */
public final class Canonical {

  private Canonical() {}

  /**
   * {@code object} in canonical form; the same instance if it has it, and unchanged parts are
   * shared. Fields that the schema does not know are dropped, or come last if it is open to them;
   * {@code null} counts as not set.
   */
  public static MapNode form(MapNode object, StructSchema schema) {
    CustomResourceVersion version = CustomResourceVersion.of(schema);
    return version == null
        ? declared(object, schema)
        : declared(custom(object, schema, version), schema);
  }

  private static MapNode declared(MapNode object, StructSchema schema) {
    boolean custom = schema.declaration() != null;
    List<Field> fields = schema.fields();
    @Nullable Node[] values = new Node[fields.size()];
    MapNode.@Nullable Builder open = null;
    boolean same = true;
    int last = -1;
    for (int i = 0; i < object.size(); i++) {
      Node before = object.valueAt(i);
      int position = schema.indexOf(object.keyAt(i));
      if (position >= 0) {
        values[position] = value(before, fields.get(position).type());
        same &= values[position] == before && position > last;
        last = position;
      } else if (custom || schema.openToUnknown()) {
        // what a custom resource does not keep has been pruned
        open = open == null ? MapNode.builder(4) : open;
        open.put(object.keyAt(i), before);
        last = fields.size();
      } else {
        same = false;
      }
    }
    for (int i = 0; i < values.length; i++) {
      Node set = values[i];
      boolean unset = set == Null.NULL && !(fields.get(i).type() instanceof Structural);
      values[i] = Slots.written(fields.get(i), unset ? null : set);
      same &= values[i] == set;
    }
    MapNode unknown = open == null ? MapNode.EMPTY : open.build();
    MapNode kept = custom ? NormalForm.of(unknown) : unknown;
    return same && kept == unknown ? object : Slots.build(schema, values, kept);
  }

  private static MapNode custom(
      MapNode object, StructSchema schema, CustomResourceVersion version) {
    MapNode pruned = Pruning.object(object, version.schema());
    return EmbeddedMetadata.isIn(version)
        ? new EmbeddedMetadata(
                (metadata, at, found) -> TypedReader.metadata(metadata, schema, at, found),
                Malformed.DROPPED,
                null)
            .in(pruned, version.schema())
        : pruned;
  }

  private static Node value(Node value, SchemaNode type) {
    return switch (type) {
      case StructSchema struct -> value instanceof MapNode object ? form(object, struct) : value;
      case ListOf list -> value instanceof Items items ? list(items, list) : value;
      case MapOf map -> value instanceof MapNode entries ? map(entries, map) : value;
      case Structural _ -> NormalForm.of(value);
      case SchemaNode.Union union -> {
        Field holder = Unions.holding(union, value);
        yield holder == null ? value : value(value, holder.type());
      }
      case Scalar _, Free _ -> value;
    };
  }

  private static Items list(Items items, ListOf list) {
    if (list.element() instanceof Scalar) {
      return items;
    }
    List<Node> values = new ArrayList<>(items.values().size());
    boolean same = true;
    for (Node before : items.values()) {
      Node after = value(before, list.element());
      same &= after == before;
      values.add(after);
    }
    return same ? items : new Items(values);
  }

  private static MapNode map(MapNode entries, MapOf map) {
    boolean same = true;
    for (int i = 0; same && i < entries.size(); i++) {
      same =
          value(entries.valueAt(i), map.value()) == entries.valueAt(i)
              && (i == 0 || Utf8Order.compare(entries.keyAt(i - 1), entries.keyAt(i)) < 0);
    }
    if (same) {
      return entries;
    }
    Map<String, Node> sorted = new TreeMap<>(Utf8Order::compare);
    entries.forEach((key, value) -> sorted.put(key, value(value, map.value())));
    return MapNode.copyOf(sorted);
  }
}
