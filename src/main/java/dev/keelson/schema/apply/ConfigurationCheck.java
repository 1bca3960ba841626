package dev.keelson.schema.apply;

import dev.keelson.api.CauseList;
import dev.keelson.object.GoText;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.Free;
import dev.keelson.schema.SchemaNode.ListOf;
import dev.keelson.schema.SchemaNode.ListType;
import dev.keelson.schema.SchemaNode.MapOf;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.StructuralSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Validates an applied configuration against its schema, so that its fields can be determined:
 * declared fields, values of the right type, list items with distinct keys (source:
 * structured-merge-diff's validation, whose messages these are).
 */
public final class ConfigurationCheck {

  private final List<String> problems = new ArrayList<>();
  private int omitted;

  private ConfigurationCheck() {}

  /**
   * The problems of {@code configuration}, each with its path, or empty if it is valid: {@code
   * .spec.foo: field not declared in schema}.
   */
  public static String of(SchemaNode schema, MapNode configuration) {
    ConfigurationCheck check = new ConfigurationCheck();
    check.value(schema, configuration, "");
    return switch (check.problems.size()) {
      case 0 -> "";
      case 1 -> check.problems.getFirst();
      default ->
          "errors:\n  "
              + String.join("\n  ", check.problems)
              + (check.omitted > 0 ? "\n  and " + check.omitted + " more" : "");
    };
  }

  private void value(SchemaNode schema, Node value, String path) {
    if (value == Node.Null.NULL) {
      return;
    }
    switch (schema) {
      case Scalar scalar -> scalar(scalar, value, path);
      case StructSchema struct -> struct(struct, value, path);
      case MapOf map -> {
        if (value instanceof MapNode entries) {
          entries.forEach((key, child) -> value(map.value(), child, path + "." + key));
        } else {
          wrong(path, "expected map, got " + shown(value));
        }
      }
      case ListOf list -> list(list, value, path);
      case SchemaNode.Structural custom -> custom(StructuralSchema.of(custom), value, path);
      case Free _, SchemaNode.Union _ -> {}
    }
  }

  /** The schema of a custom resource declares types as OpenAPI has them. */
  private void custom(StructuralSchema schema, Node value, String path) {
    switch (schema.type()) {
      case OBJECT -> object(schema, value, path);
      case ARRAY -> list(Shapes.list(schema), value, path);
      case STRING -> scalar(Scalar.STRING, value, path);
      case INTEGER, NUMBER -> scalar(Scalar.DOUBLE, value, path);
      case BOOLEAN -> scalar(Scalar.BOOL, value, path);
      case INT_OR_STRING -> scalar(Scalar.INT_OR_STRING, value, path);
      case ANY -> {}
    }
  }

  private void object(StructuralSchema schema, Node value, String path) {
    if (!(value instanceof MapNode object)) {
      wrong(path, "expected map, got " + shown(value));
      return;
    }
    object.forEach(
        (name, child) -> {
          StructuralSchema declared = schema.properties().get(name);
          StructuralSchema shape = declared == null ? schema.additionalProperties() : declared;
          if (shape != null) {
            value(shape, child, path + "." + name);
          } else if (!keeps(schema, name)) {
            wrong(path + "." + name, "field not declared in schema");
          }
        });
  }

  /** Whether a field that is not declared is kept all the same. */
  private static boolean keeps(StructuralSchema schema, String name) {
    boolean ofEveryObject =
        name.equals("apiVersion") || name.equals("kind") || name.equals("metadata");
    return schema.preservesUnknownFields()
        || schema.allowsAdditionalProperties()
        || (schema.isEmbeddedResource() && ofEveryObject);
  }

  private void struct(StructSchema struct, Node value, String path) {
    if (!(value instanceof MapNode object)) {
      wrong(path, "expected map, got " + shown(value));
      return;
    }
    object.forEach(
        (name, child) -> {
          Field field = struct.field(name);
          if (field != null) {
            value(field.type(), child, path + "." + name);
          } else if (!struct.openToUnknown()) {
            wrong(path + "." + name, "field not declared in schema");
          }
        });
  }

  private void list(ListOf list, Node value, String path) {
    if (!(value instanceof Node.Items items)) {
      wrong(path, "expected list, got " + shown(value));
      return;
    }
    Set<String> names = new HashSet<>();
    for (int i = 0; i < items.values().size(); i++) {
      Node item = items.values().get(i);
      String element = PathElement.shown("i:" + i);
      if (list.type() != ListType.ATOMIC) {
        String problem = unnamed(list, item);
        if (!problem.isEmpty()) {
          wrong(path, "element " + i + ": " + problem);
          return;
        }
        String name = Shapes.item(list, item);
        element = PathElement.shown(name);
        if (!names.add(name)) {
          wrong(path, "duplicate entries for key " + element);
        }
      }
      value(list.element(), item, path + element);
    }
  }

  /** Why an item has no identity, or empty. */
  private static String unnamed(ListOf list, Node item) {
    if (list.type() == ListType.SET) {
      return switch (item) {
        case Node.Null _ -> "associative list without keys has an element that's an explicit null";
        case MapNode _ -> "associative list without keys has an element that's a map type";
        case Node.Items _ -> "not supported: associative list with lists as elements";
        default -> "";
      };
    }
    if (item == Node.Null.NULL) {
      return "associative list with keys may not have a null element";
    }
    if (!(item instanceof MapNode map)) {
      return "associative list with keys may not have non-map elements";
    }
    for (String key : list.mapKeys()) {
      if (map.has(key) || Shapes.defaultKey(list, key) != null) {
        return "";
      }
    }
    return "associative list with keys has an element that omits all key fields [\""
        + String.join("\" \"", list.mapKeys())
        + "\"] (and doesn't have default values for any key fields)";
  }

  private void scalar(Scalar scalar, Node value, String path) {
    switch (scalar) {
      case INT32, INT64, UINT32, UINT64, DOUBLE -> {
        if (!(value instanceof Node.Int || value instanceof Node.Decimal)) {
          wrong(path, "expected numeric (int or float), got " + goType(value));
        }
      }
      case STRING, BYTES, DURATION -> {
        if (!(value instanceof Node.Text)) {
          wrong(
              path,
              "expected string, got &value.valueUnstructured{Value:" + GoText.syntax(value) + "}");
        }
      }
      case BOOL -> {
        if (!(value instanceof Node.Bool)) {
          wrong(path, "expected boolean, got " + shown(value));
        }
      }
      case TIME, MICRO_TIME, INT_OR_STRING, QUANTITY -> {
        if (value instanceof MapNode || value instanceof Node.Items) {
          wrong(path, "expected any scalar, got " + shown(value));
        }
      }
    }
  }

  private static String goType(Node value) {
    return switch (value) {
      case Node.Text _ -> "string";
      case Node.Int _ -> "int64";
      case Node.Decimal _ -> "float64";
      case Node.Bool _ -> "bool";
      case Node.Items _ -> "[]interface {}";
      case MapNode _ -> "map[string]interface {}";
      case Node.Null _ -> "nil";
    };
  }

  /** A value as Go prints the pointer to its wrapper. */
  private static String shown(Node value) {
    return "&{" + GoText.of(value) + "}";
  }

  private void wrong(String path, String problem) {
    if (problems.size() < CauseList.MOST) {
      problems.add(path.isEmpty() ? problem : path + ": " + problem);
    } else {
      omitted++;
    }
  }
}
