package dev.keelson.schema.validation.apiextensions;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Looks for something in a JSONSchemaProps and all schemas in it. */
final class Schemas {

  private Schemas() {}

  /**
   * Whether a schema in {@code schema} meets a condition; the order is that of Kubernetes, with
   * names sorted.
   */
  static boolean any(@Nullable Node schema, Predicate<MapNode> condition) {
    if (!(schema instanceof MapNode map)) {
      return false;
    }
    if (condition.test(map)) {
      return true;
    }
    Node items = map.get("items");
    return (items instanceof Items ? anyOf(items, condition) : any(items, condition))
        || anyOf(map.get("allOf"), condition)
        || anyOf(map.get("anyOf"), condition)
        || anyOf(map.get("oneOf"), condition)
        || any(map.get("not"), condition)
        || anyIn(map.map("properties"), condition)
        || any(map.get("additionalProperties"), condition)
        || anyIn(map.map("patternProperties"), condition)
        || any(map.get("additionalItems"), condition)
        || anyIn(map.map("definitions"), condition)
        || anyIn(map.map("dependencies"), condition);
  }

  private static boolean anyOf(@Nullable Node list, Predicate<MapNode> condition) {
    if (list instanceof Items items) {
      for (Node item : items.values()) {
        if (any(item, condition)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean anyIn(MapNode schemas, Predicate<MapNode> condition) {
    for (int i = 0; i < schemas.size(); i++) {
      if (any(schemas.valueAt(i), condition)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a flag of a schema is set. */
  static boolean flag(MapNode schema, String name) {
    return schema.get(name) == Node.Bool.TRUE;
  }
}
