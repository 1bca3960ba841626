package dev.keelson.schema.openapi.operation;

import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.ListOf;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A parameter of an operation other than its body.
 *
 * @param name its name in the path template or the query
 * @param inPath whether it is part of the path (and so required), or of the query
 * @param type {@code string}, {@code integer} or {@code boolean}
 * @param description plain text
 */
public record Parameter(String name, boolean inPath, String type, String description) {

  static Parameter path(String name, String description) {
    return new Parameter(name, /* inPath= */ true, "string", description);
  }

  static Parameter query(String name, String type, String description) {
    return new Parameter(name, /* inPath= */ false, type, description);
  }

  /**
   * The query parameters that an options type stands for: its scalar fields, and lists of scalars
   * as their element, since the query repeats them. Fields in {@code except} are left out.
   */
  static List<Parameter> ofOptions(
      StructSchema options, Descriptions descriptions, Set<String> except) {
    List<Parameter> parameters = new ArrayList<>();
    for (Field field : options.fields()) {
      boolean own = field.number() != 0 && !except.contains(field.name());
      String type = own ? type(field) : "";
      if (!type.isEmpty()) {
        parameters.add(
            query(field.name(), type, descriptions.describe(options.name(), field.name())));
      }
    }
    return parameters;
  }

  private static String type(Field field) {
    SchemaNode type = field.type() instanceof ListOf list ? list.element() : field.type();
    if (!(type instanceof Scalar scalar)) {
      return "";
    }
    return switch (scalar) {
      case STRING -> "string";
      case BOOL -> "boolean";
      case INT32, INT64, UINT32, UINT64 -> "integer";
      // Kubernetes shows no parameters of other types, though it reads sinceTime of a log.
      case DOUBLE, BYTES, TIME, MICRO_TIME, DURATION, INT_OR_STRING, QUANTITY -> "";
    };
  }
}
