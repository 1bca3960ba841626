package dev.keelson.registry.read;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.StructSchema;
import org.jspecify.annotations.Nullable;

/**
 * The values of an object's fields as field selectors see them: text, with the zero value of its
 * type for a field that is absent. Names in a selector are dotted JSON paths, but for a few that
 * Kubernetes named otherwise.
 */
final class FieldValues {

  private FieldValues() {}

  /** Whether the name of a field is also the path to it. */
  static boolean isPath(String field) {
    return !field.equals("source")
        && !field.equals("status.successful")
        && !field.equals("status.podIPs");
  }

  /** What a field selector sees where {@code path} is absent. */
  static String zero(ResourceDefinition definition, String path) {
    return zero(definition.schema(), path);
  }

  /** The text of {@code field} in {@code object}, which is in the version of {@code definition}. */
  static String of(ResourceDefinition definition, ApiObject object, String field) {
    if (field.equals("source") && definition.kind().equals("Event")) {
      String component = textAt(object.root(), "source.component");
      return component.isEmpty() ? textAt(object.root(), "reportingComponent") : component;
    }
    if (field.equals("status.podIPs")) {
      // may be asked for, and is empty for every pod, as in kube-apiserver
      return "";
    }
    String path = field.equals("status.successful") ? "status.succeeded" : field;
    Node value = object.root().at(path.split("\\.", -1));
    return value == null ? zero(definition.schema(), path) : text(value);
  }

  private static String textAt(MapNode root, String path) {
    Node value = root.at(path.split("\\.", -1));
    return value == null ? "" : text(value);
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
