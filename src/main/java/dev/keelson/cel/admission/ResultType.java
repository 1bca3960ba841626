package dev.keelson.cel.admission;

import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructTypeReference;
import dev.keelson.cel.type.ObjectValue;
import java.util.List;

/** The type that an expression must have; dynamically typed expressions have none of them. */
public enum ResultType {
  /** A condition. */
  BOOL,
  /** A message. */
  TEXT,
  /** The value of an audit annotation. */
  TEXT_OR_NULL,
  /** A variable. */
  ANY,
  /** The object of an apply configuration. */
  OBJECT,
  /** The operations of a JSON Patch. */
  PATCH;

  private List<CelType> types() {
    return switch (this) {
      case BOOL -> List.of(SimpleType.BOOL);
      case TEXT -> List.of(SimpleType.STRING);
      case TEXT_OR_NULL -> List.of(SimpleType.STRING, SimpleType.NULL_TYPE);
      case ANY -> List.of();
      case OBJECT -> List.of(StructTypeReference.create(ObjectValue.OBJECT));
      case PATCH -> List.of(ListType.create(StructTypeReference.create(ObjectValue.JSON_PATCH)));
    };
  }

  /** The problem with a type; empty if there is none. */
  String problem(CelType found) {
    List<CelType> types = types();
    String shown = CelTypes.format(found);
    if (types.isEmpty() || types.stream().anyMatch(type -> CelTypes.format(type).equals(shown))) {
      return "";
    }
    List<String> wanted = types.stream().map(ResultType::shown).toList();
    return wanted.size() == 1
        ? "must evaluate to " + wanted.getFirst() + " but got " + shown(found)
        : "must evaluate to one of [" + String.join(" ", wanted) + "] but got " + shown(found);
  }

  private static String shown(CelType type) {
    return type.equals(SimpleType.NULL_TYPE) ? "null_type" : CelTypes.format(type);
  }
}
