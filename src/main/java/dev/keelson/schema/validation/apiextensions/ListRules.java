package dev.keelson.schema.validation.apiextensions;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.ValueSet;
import java.util.HashSet;
import java.util.Set;

/** How server-side apply owns lists and maps. */
final class ListRules {

  private static final String TYPE = "x-kubernetes-list-type";
  private static final String KEYS = "x-kubernetes-list-map-keys";
  private static final String MAP_TYPE = "x-kubernetes-map-type";
  private static final String ATOMIC_ITEM =
      "must be atomic as item of a list with x-kubernetes-list-type=set";

  private ListRules() {}

  static void validate(Value schema, Requirements requirements) {
    mapType(schema);
    Value type = schema.get(TYPE);
    if (type.present() && !schema.get("type").is("array")) {
      wrongType(schema.get("type"), "must be array if x-kubernetes-list-type is specified");
    } else if (requirements.atomicSetItems() && type.is("set")) {
      setItems(schema.get("items"));
    }
    if (type.present() && !type.is("atomic") && !type.is("set") && !type.is("map")) {
      type.unsupportedInOrder("atomic", "set", "map");
    }
    if (schema.get(KEYS).size() > 0) {
      String needed = "must be map if x-kubernetes-list-map-keys is non-empty";
      if (type.absent()) {
        type.required(needed);
      } else if (!type.is("map")) {
        type.invalid(needed);
      }
    }
    if (type.is("map")) {
      keys(schema);
    }
    if (requirements.definiteListKeys()) {
      definiteKeys(schema);
    }
  }

  private static void mapType(Value schema) {
    Value type = schema.get(MAP_TYPE);
    if (type.present() && !schema.get("type").is("object")) {
      wrongType(schema.get("type"), "must be object if x-kubernetes-map-type is specified");
    }
    if (type.present() && !type.is("atomic") && !type.is("granular")) {
      type.unsupportedInOrder("atomic", "granular");
    }
  }

  private static void wrongType(Value type, String detail) {
    if (type.filled()) {
      type.invalid(detail);
    } else {
      type.required(detail);
    }
  }

  private static void setItems(Value items) {
    Value listType = items.get(TYPE);
    switch (items.get("type").text()) {
      case "array" -> {
        if (listType.present() && !listType.is("atomic")) {
          listType.invalid(ATOMIC_ITEM);
        }
      }
      case "object" -> {
        if (!items.get(MAP_TYPE).is("atomic")) {
          // the value that Kubernetes shows is that of the list type
          items.get(MAP_TYPE).holding(listType.node()).invalid(ATOMIC_ITEM);
        }
      }
      default -> {}
    }
  }

  /** Whether a set has elements that are not owned as a whole. */
  static boolean hasSetOfParts(MapNode schema) {
    if (!schema.text(TYPE).equals("set") || !(schema.get("items") instanceof MapNode items)) {
      return false;
    }
    return switch (items.text("type")) {
      case "array" -> items.has(TYPE) && !items.text(TYPE).equals("atomic");
      case "object" -> !items.text(MAP_TYPE).equals("atomic");
      default -> false;
    };
  }

  private static void keys(Value schema) {
    Value keys = schema.get(KEYS);
    Value items = schema.get("items");
    if (keys.size() == 0) {
      keys.required("must not be empty if x-kubernetes-list-type is map");
    }
    if (items.absent()) {
      items.required("must have a schema if x-kubernetes-list-type is map");
    } else if (!(items.node() instanceof MapNode)) {
      items.invalid("must only have a single schema if x-kubernetes-list-type is map");
    } else if (!items.get("type").is("object")) {
      items
          .get("type")
          .orEmpty()
          .invalid("must be object if parent array's x-kubernetes-list-type is map");
    } else {
      keyFields(keys, items);
    }
  }

  private static void keyFields(Value keys, Value items) {
    Set<String> seen = new HashSet<>();
    for (Value each : keys) {
      String key = each.text();
      Value field = items.get("properties").key(key);
      if (field.absent()) {
        keys.invalid("entries must all be names of item properties");
      } else if (field.get("type").is("array") || field.get("type").is("object")) {
        field
            .get("type")
            .holding(items.get("type").node())
            .invalid("must be a scalar type if parent array's x-kubernetes-list-type is map");
      }
      if (!seen.add(key)) {
        keys.invalid("must not contain duplicate entries");
      }
    }
  }

  private static void definiteKeys(Value schema) {
    Value type = schema.get(TYPE);
    Value items = schema.get("items");
    if (!(items.node() instanceof MapNode) || (!type.is("set") && !type.is("map"))) {
      return;
    }
    if (items.get("nullable").flag()) {
      items
          .get("nullable")
          .forbidden("cannot be nullable when x-kubernetes-list-type is " + type.text());
    }
    if (type.is("map")) {
      ValueSet required = new ValueSet();
      items.get("required").items().forEach(required::add);
      for (Value key : schema.get(KEYS)) {
        Value field = items.get("properties").key(key.text());
        if (field.absent()) {
          continue;
        }
        if (!required.contains(Node.text(key.text())) && field.get("default").absent()) {
          field
              .get("default")
              .required(
                  "this property is in x-kubernetes-list-map-keys, so it must have a default or be"
                      + " a required property");
        }
        if (field.get("nullable").flag()) {
          field
              .get("nullable")
              .forbidden(
                  "this property is in x-kubernetes-list-map-keys, so it cannot be nullable");
        }
      }
    }
  }

  /** Whether elements of a list, or the keys of its elements, may be null or missing. */
  static boolean hasIndefiniteKeys(MapNode schema) {
    String type = schema.text(TYPE);
    if (!(schema.get("items") instanceof MapNode items)
        || (!type.equals("set") && !type.equals("map"))) {
      return false;
    }
    if (Schemas.flag(items, "nullable")) {
      return true;
    }
    if (type.equals("map")) {
      ValueSet required = new ValueSet();
      items.items("required").forEach(required::add);
      for (Node each : schema.items(KEYS)) {
        String key = each instanceof Node.Text text ? text.value() : "";
        if (items.map("properties").get(key) instanceof MapNode field
            && (Schemas.flag(field, "nullable")
                || (!field.has("default") && !required.contains(each)))) {
          return true;
        }
      }
    }
    return false;
  }
}
