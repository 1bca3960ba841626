package dev.keelson.schema.structural.validation;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.ListType;
import dev.keelson.schema.StructuralSchema;
import dev.keelson.schema.structural.NormalForm;
import dev.keelson.schema.structural.ShownValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The invariants of arrays that are sets or maps ({@code x-kubernetes-list-type}): no value and no
 * combination of keys occurs twice (source: {@code listtype} of apiextensions-apiserver).
 */
final class ListTypes {

  private ListTypes() {}

  /** Whether a schema has sets or maps anywhere. */
  static boolean areIn(@Nullable StructuralSchema schema) {
    return schema != null
        && (schema.listType() != ListType.ATOMIC
            || areIn(schema.additionalProperties())
            || areIn(schema.items())
            || schema.properties().values().stream().anyMatch(ListTypes::areIn));
  }

  /** Reports the duplicates in an object. */
  static void check(MapNode object, StructuralSchema schema, Place at, Findings findings) {
    StructuralSchema values = schema.additionalProperties();
    if (values != null) {
      object.forEach((key, value) -> check(value, values, at.key(key), findings));
    }
    object.forEach(
        (name, value) -> {
          StructuralSchema declared = schema.properties().get(name);
          if (declared != null) {
            check(value, declared, at.field(name), findings);
          }
        });
  }

  private static void check(Node value, StructuralSchema schema, Place at, Findings findings) {
    if (value instanceof MapNode map) {
      check(map, schema, at, findings);
    } else if (value instanceof Items items) {
      array(items.values(), schema, at, findings);
    }
  }

  private static void array(
      List<Node> values, StructuralSchema schema, Place at, Findings findings) {
    switch (schema.listType()) {
      case SET -> unique(values, at, findings);
      case MAP -> map(values, schema.mapKeys(), at, findings);
      case ATOMIC -> {}
    }
    StructuralSchema element = schema.items();
    if (element != null) {
      for (int i = 0; i < values.size(); i++) {
        check(values.get(i), element, at.index(i), findings);
      }
    }
  }

  private static void map(List<Node> values, List<String> keys, Place at, Findings findings) {
    List<Node> named = new ArrayList<>(values.size());
    for (int i = 0; i < values.size(); i++) {
      switch (values.get(i)) {
        case MapNode element -> named.add(keys(element, keys));
        case Node.Null _ -> named.add(MapNode.EMPTY);
        case Node other -> {
          findings.invalidValue(
              at.index(i), other, "must be an object for an array of list-type map");
          return;
        }
      }
    }
    unique(named, at, findings);
  }

  private static MapNode keys(MapNode element, List<String> keys) {
    MapNode.Builder present = MapNode.builder(keys.size());
    for (String key : keys) {
      Node value = element.get(key);
      if (value != null) {
        present.set(key, value);
      }
    }
    return NormalForm.of(present.build());
  }

  /** Reports each value that occurs more than once, at its second place. */
  private static void unique(List<Node> values, Place at, Findings findings) {
    Map<String, Integer> times = new HashMap<>();
    for (int i = 0; i < values.size(); i++) {
      if (times.merge(ShownValue.whole(values.get(i)), 1, Integer::sum) == 2) {
        findings.duplicate(at.index(i), values.get(i));
      }
    }
  }
}
