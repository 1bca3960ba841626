package dev.keelson.schema.codec.tree;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Bool;
import dev.keelson.object.Node.Decimal;
import dev.keelson.object.Node.Int;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Null;
import dev.keelson.object.Node.Text;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.Free;
import dev.keelson.schema.SchemaNode.ListOf;
import dev.keelson.schema.SchemaNode.MapOf;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides which fields of a struct are written: what Go's {@code encoding/json} does with {@code
 * omitempty}, {@code omitzero}, pointers and values.
 */
public final class Slots {

  private Slots() {}

  /**
   * What is written for {@code field} when it holds {@code value}.
   *
   * @param value the field's value, or null if it was not set
   * @return null if nothing is written
   */
  public static @Nullable Node written(Field field, @Nullable Node value) {
    return switch (field.presence()) {
      case POINTER -> value;
      case OMIT_EMPTY -> value == null || empty(value) ? null : value;
      case VALUE, ALWAYS -> value == null ? zero(field.type()) : value;
      case NULLABLE -> value == null ? Null.NULL : value;
      case OMIT_ZERO -> value == null || value.equals(zero(field.type())) ? null : value;
    };
  }

  /**
   * The object whose declared fields hold {@code values}.
   *
   * @param values in the order of {@link StructSchema#fields()}; null where a field was not set
   * @param open the fields that the schema does not declare
   */
  public static MapNode object(StructSchema schema, @Nullable Node[] values, MapNode open) {
    List<Field> fields = schema.fields();
    for (int i = 0; i < values.length; i++) {
      values[i] = written(fields.get(i), values[i]);
    }
    return build(schema, values, open);
  }

  /**
   * The object of {@code written}, which {@link #written} gave, with {@code open} behind.
   *
   * @param written in the order of {@link StructSchema#fields()}; null where nothing is written
   * @param open the fields that the schema does not declare
   */
  static MapNode build(StructSchema schema, @Nullable Node[] written, MapNode open) {
    List<Field> fields = schema.fields();
    int count = open.size();
    for (Node value : written) {
      count += value == null ? 0 : 1;
    }
    if (count == 0) {
      return MapNode.EMPTY;
    }
    MapNode.Builder object = MapNode.builder(count);
    for (int i = 0; i < written.length; i++) {
      Node value = written[i];
      if (value != null) {
        object.put(fields.get(i).name(), value);
      }
    }
    open.forEach(object::put);
    return object.build();
  }

  /** What Go prints for a value that was never set. */
  public static Node zero(SchemaNode type) {
    return switch (type) {
      case StructSchema struct -> object(struct, new Node[struct.fields().size()], MapNode.EMPTY);
      case ListOf _, MapOf _, Free _, SchemaNode.Union _, SchemaNode.Structural _ -> Null.NULL;
      case Scalar scalar ->
          switch (scalar) {
            case STRING -> new Text("");
            case INT32, INT64, UINT32, UINT64, DOUBLE, INT_OR_STRING -> new Int(0);
            case BOOL -> Bool.FALSE;
            case BYTES, TIME, MICRO_TIME -> Null.NULL;
            case DURATION -> new Text("0s");
            case QUANTITY -> new Text("0");
          };
    };
  }

  /** What Go prints for a {@code null} among the elements of a list or the values of a map. */
  public static Node zeroElement(SchemaNode type) {
    // stored and read again, bytes that were never set are empty
    return type == Scalar.BYTES ? new Text("") : zero(type);
  }

  private static boolean empty(Node value) {
    return switch (value) {
      case Text text -> text.value().isEmpty();
      case Int number -> number.value() == 0;
      case Decimal number -> number.literal().equals("-0");
      case Bool bool -> !bool.value();
      case Null _ -> true;
      case Items items -> items.values().isEmpty();
      case MapNode map -> map.isEmpty();
    };
  }
}
