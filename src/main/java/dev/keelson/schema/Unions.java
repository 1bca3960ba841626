package dev.keelson.schema;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.ListOf;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.SchemaNode.Union;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The values of a {@link Union}, and the messages that carry them. */
public final class Unions {

  private Unions() {}

  /** The field that holds objects; null if they are not a value. */
  public static @Nullable Field object(Union union) {
    return first(union, field -> field.type() instanceof StructSchema);
  }

  /** The field that holds arrays; null if they are not a value. */
  public static @Nullable Field array(Union union) {
    return first(union, field -> field.type() instanceof ListOf);
  }

  /** The field that holds true and false; null if they are not a value. */
  public static @Nullable Field bool(Union union) {
    return first(union, field -> field.type() == Scalar.BOOL);
  }

  /** The field that holds a value; null if it is not one of the shapes. */
  public static @Nullable Field holding(Union union, Node value) {
    return switch (value) {
      case MapNode _ -> object(union);
      case Node.Items _ -> array(union);
      case Node.Bool _ -> bool(union);
      case Node.Text _, Node.Int _, Node.Decimal _, Node.Null _ -> null;
    };
  }

  private static @Nullable Field first(Union union, Predicate<Field> wanted) {
    for (Field field : union.message().fields()) {
      if (wanted.test(field)) {
        return field;
      }
    }
    return null;
  }

  /** The message that carries a value, in the form of a tree. */
  public static MapNode wrapped(Union union, Node value) {
    Field holder = holding(union, value);
    Field bool = bool(union);
    MapNode carried = holder == null ? MapNode.EMPTY : MapNode.EMPTY.with(holder.name(), value);
    // a schema implies that values are allowed
    return bool == null || holder == bool ? carried : carried.with(bool.name(), Node.Bool.TRUE);
  }

  /** The value that a message carries; {@link Node.Null} if it carries none. */
  public static Node unwrapped(Union union, MapNode carried) {
    for (Field field : Arrays.asList(array(union), object(union), bool(union))) {
      Node value = field == null ? null : carried.get(field.name());
      if (value != null) {
        return value;
      }
    }
    return Node.Null.NULL;
  }
}
