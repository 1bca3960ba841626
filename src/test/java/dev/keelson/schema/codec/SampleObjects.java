package dev.keelson.schema.codec;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Bool;
import dev.keelson.object.Node.Int;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Text;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.Free;
import dev.keelson.schema.SchemaNode.ListOf;
import dev.keelson.schema.SchemaNode.MapOf;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.tree.Canonical;
import dev.keelson.schema.codec.tree.Slots;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Objects in which every field of a type, or a random choice of them, is filled with a value of its
 * own, the same in every run. A type that contains itself is filled once.
 */
public final class SampleObjects {

  private final Deque<StructSchema> open = new ArrayDeque<>();
  private final @Nullable Random random;
  private int count;

  private SampleObjects(@Nullable Random random) {
    this.random = random;
  }

  /**
   * An object of a kind in which each field is set or not, and lists have up to three elements; in
   * canonical form.
   */
  public static MapNode random(StructSchema schema, String apiVersion, String kind, Random random) {
    MapNode object = (MapNode) new SampleObjects(random).value(schema, "");
    return Canonical.form(
        object.with("kind", new Text(kind)).with("apiVersion", new Text(apiVersion)), schema);
  }

  /** A full object of a kind. */
  public static MapNode fill(StructSchema schema, String apiVersion, String kind) {
    MapNode object = (MapNode) new SampleObjects(null).value(schema, "");
    return object.with("kind", new Text(kind)).with("apiVersion", new Text(apiVersion));
  }

  private Node value(SchemaNode type, String name) {
    count++;
    return switch (type) {
      case StructSchema struct -> struct(struct);
      case ListOf list -> list(list, name);
      case MapOf map ->
          MapNode.builder(2)
              .put(name + "Key", value(map.value(), name))
              .put(name + "Key2", value(map.value(), name))
              .build();
      case Free free -> free(free, name);
      case SchemaNode.Union union -> union(union, name);
      case Scalar scalar -> scalar(scalar, name);
      case SchemaNode.Structural custom ->
          throw new IllegalStateException("no sample of " + custom);
    };
  }

  private Node union(SchemaNode.Union union, String name) {
    List<Field> shapes = union.message().fields();
    Field shape = shapes.get(count % shapes.size());
    Node value = value(shape.type(), name);
    // an empty list is none of the shapes
    return value.equals(Items.EMPTY) ? MapNode.EMPTY : value;
  }

  private Items list(ListOf list, String name) {
    List<Node> values = new ArrayList<>();
    for (int i = random == null ? 1 : random.nextInt(4); i > 0; i--) {
      values.add(value(list.element(), name));
    }
    return new Items(values);
  }

  private Node struct(StructSchema struct) {
    if (open.contains(struct)) {
      return Slots.zero(struct);
    }
    open.push(struct);
    MapNode.Builder object = MapNode.builder(struct.fields().size());
    for (Field field : struct.fields()) {
      if (random != null && random.nextInt(3) == 0) {
        continue;
      }
      object.put(field.name(), value(field.type(), field.name()));
    }
    open.pop();
    return object.build();
  }

  private Node free(Free free, String name) {
    return switch (free) {
      case RAW_JSON ->
          MapNode.builder(3)
              .put("z" + name, new Items(List.of(new Node.Decimal("1.50"), Node.Null.NULL)))
              .put("a<&>", new Text("\u2028 \t\"\\ é 😀"))
              .put("n", new Int(Long.MIN_VALUE + count))
              .build();
      case ANY_JSON ->
          MapNode.builder(3)
              .put("a<&>", new Items(List.of(new Node.Decimal("1.5"), Node.Null.NULL)))
              .put("n", new Int(Long.MIN_VALUE + count))
              .put("z" + name, Bool.FALSE)
              .build();
      case FIELDS_V1 -> MapNode.of("f:" + name, MapNode.of(".", MapNode.EMPTY));
    };
  }

  private Node scalar(Scalar scalar, String name) {
    return switch (scalar) {
      case STRING -> new Text(name + "Value" + count);
      case INT32, INT64, UINT32, UINT64 -> new Int(count);
      case DOUBLE -> new Node.Decimal(count + ".5");
      case BOOL -> Bool.TRUE;
      case BYTES -> new Text(Base64.getEncoder().encodeToString(new byte[] {(byte) count, -1}));
      case TIME -> new Text("20%02d-01-02T03:04:05Z".formatted(count % 100));
      case MICRO_TIME -> new Text("20%02d-01-02T03:04:05.000678Z".formatted(count % 100));
      case DURATION -> new Text(count + "h0m0s");
      case INT_OR_STRING -> count % 2 == 0 ? new Int(count) : new Text(count + "%");
      case QUANTITY -> new Text(count + "Mi");
    };
  }
}
