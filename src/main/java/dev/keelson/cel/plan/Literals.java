package dev.keelson.cel.plan;

import dev.keelson.cel.type.EvaluationError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Steps that make lists, maps and objects. */
final class Literals {

  private static final long LIST_COST = 10;
  private static final long MAP_COST = 30;
  private static final long OBJECT_COST = 40;

  private Literals() {}

  /** {@code [one, ?optional]}. */
  static final class ListOf extends Step {
    private final List<Step> items;
    private final Set<Integer> optional;

    ListOf(List<Step> items, Set<Integer> optional) {
      this.items = List.copyOf(items);
      this.optional = Set.copyOf(optional);
    }

    @Override
    Object value(Frame frame) {
      List<Object> values = new ArrayList<>(items.size());
      for (int i = 0; i < items.size(); i++) {
        Object value = items.get(i).value(frame);
        if (!optional.contains(i)) {
          values.add(value);
        } else if (optional(value).isPresent()) {
          values.add(optional(value).get());
        }
      }
      frame.charge(LIST_COST);
      return values;
    }
  }

  /** An entry of a map. */
  record Entry(Step key, Step value, boolean optional) {}

  /** <code>{key: value}</code>. */
  static final class MapOf extends Step {
    private final List<Entry> entries;

    MapOf(List<Entry> entries) {
      this.entries = List.copyOf(entries);
    }

    @Override
    Object value(Frame frame) {
      Map<Object, Object> values = LinkedHashMap.newLinkedHashMap(entries.size());
      for (Entry entry : entries) {
        Object key = entry.key().value(frame);
        Object value = entry.value().value(frame);
        if (entry.optional()) {
          if (optional(value).isEmpty()) {
            continue;
          }
          value = optional(value).get();
        }
        if (values.put(key, value) != null) {
          throw new EvaluationError("Failed with repeated key");
        }
      }
      frame.charge(MAP_COST);
      return values;
    }
  }

  /** A field of an object. */
  record ObjectField(String name, Step value, boolean optional) {}

  /** <code>Type{field: value}</code>. */
  static final class ObjectOf extends Step {
    private final Function<Map<String, Object>, Object> type;
    private final List<ObjectField> fields;

    /** An object that {@code type} makes of its fields. */
    ObjectOf(Function<Map<String, Object>, Object> type, List<ObjectField> fields) {
      this.type = type;
      this.fields = List.copyOf(fields);
    }

    @Override
    Object value(Frame frame) {
      Map<String, Object> values = LinkedHashMap.newLinkedHashMap(fields.size());
      for (ObjectField field : fields) {
        Object value = field.value().value(frame);
        if (field.optional()) {
          if (optional(value).isEmpty()) {
            continue;
          }
          value = optional(value).get();
        }
        values.put(field.name(), value);
      }
      frame.charge(OBJECT_COST);
      return type.apply(values);
    }
  }

  private static Optional<?> optional(Object value) {
    if (value instanceof Optional<?> optional) {
      return optional;
    }
    throw EvaluationError.noSuchOverload();
  }
}
