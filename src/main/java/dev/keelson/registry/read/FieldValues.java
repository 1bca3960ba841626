package dev.keelson.registry.read;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.StructSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values of an object's fields as field selectors see them: text, with the zero value of its
 * type for a field that is absent.
 */
final class FieldValues {

  private FieldValues() {}

  /**
   * The text of the first of {@code paths} that is not empty in {@code object}.
   *
   * @param paths dotted JSON paths; without one the text is empty
   * @param object in the version of {@code definition}
   */
  static String of(ResourceDefinition definition, ApiObject object, List<String> paths) {
    String value = "";
    for (int i = 0; i < paths.size() && value.isEmpty(); i++) {
      Node node = object.root().at(paths.get(i).split("\\.", -1));
      value = node == null ? zero(definition, paths.get(i)) : text(node);
    }
    return value;
  }

  /** The value of a field selector where {@code path} is absent. */
  static String zero(ResourceDefinition definition, String path) {
    return zero(definition.schema(), path);
  }

  private static String text(Node value) {
    return switch (value) {
      case Node.Text text -> text.value();
      case Node.Int number -> Long.toString(number.value());
      case Node.Decimal number -> number.literal();
      case Node.Bool bool -> Boolean.toString(bool.value());
      case Node.Null _, Node.Items _, MapNode _ -> "";
    };
  }

  private static String zero(StructSchema schema, String path) {
    @Nullable SchemaNode node = schema;
    for (String step : path.split("\\.", -1)) {
      Field field = node instanceof StructSchema struct ? struct.field(step) : null;
      node = field == null ? null : field.type();
    }
    if (!(node instanceof SchemaNode.Scalar scalar)) {
      return "";
    }
    return switch (scalar) {
      case BOOL -> "false";
      case INT32, INT64, UINT32, UINT64, DOUBLE -> "0";
      case STRING, BYTES, TIME, MICRO_TIME, DURATION, INT_OR_STRING, QUANTITY -> "";
    };
  }
}
