package dev.keelson.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import dev.keelson.cel.library.FunctionDeclarations.Type;
import dev.keelson.cel.type.EvaluationError;
import dev.keelson.cel.type.Values;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * CEL's own library of lists in version 3: {@code slice}, {@code flatten}, {@code reverse}, {@code
 * distinct}, {@code sort}, {@code sortBy} and {@code lists.range} (source: cel-go's ext/lists.go).
 * What grows faster than its arguments is paid for before it is called.
 */
final class ListExtension {

  /** What the macro {@code sortBy} calls. */
  static final String SORT_BY_KEYS = "@sortByAssociatedKeys";

  /** The longest result of {@code flatten}; longer ones cost more than an expression may. */
  private static final int MOST_ITEMS = 1_000_000;

  private static final CelType ITEM = TypeParamType.create("T");
  private static final Type<Long> INT = new Type<>(SimpleType.INT, Long.class);

  private ListExtension() {}

  static void addTo(FunctionDeclarations functions) {
    Type<List<?>> items = ListFunctions.list(ITEM);
    Type<List<?>> anything = ListFunctions.list(SimpleType.DYN);
    functions
        .member(
            "slice",
            "list_slice",
            items.cel(),
            items,
            INT,
            INT,
            arguments -> slice((List<?>) arguments[0], (Long) arguments[1], (Long) arguments[2]))
        .member(
            "flatten",
            "list_flatten",
            items.cel(),
            ListFunctions.list(items.cel()),
            list -> flatten(list, 1L))
        .member(
            "flatten", "list_flatten_int", anything.cel(), anything, INT, ListExtension::flatten)
        .member("reverse", "list_reverse", items.cel(), items, List::reversed)
        .member("distinct", "list_distinct", items.cel(), items, ListExtension::distinct)
        .global(
            "lists.range",
            "lists_range",
            ListType.create(SimpleType.INT),
            INT,
            count -> LongStream.range(0, count).boxed().toList());
    for (CelType type : ListFunctions.COMPARABLE) {
      Type<List<?>> keys = ListFunctions.list(type);
      functions
          .member("sort", id(type, "sort"), keys.cel(), keys, list -> sorted(list, list))
          .member(
              SORT_BY_KEYS,
              id(type, "sortByAssociatedKeys"),
              items.cel(),
              items,
              keys,
              ListExtension::sorted);
    }
  }

  private static String id(CelType key, String function) {
    return "list_" + key.name() + "_" + function;
  }

  private static List<?> slice(List<?> list, long start, long end) {
    String call = "cannot slice(" + start + ", " + end + "), ";
    if (start < 0 || end < 0) {
      throw new EvaluationError(call + "negative indexes not supported");
    }
    if (start > end) {
      throw new EvaluationError(call + "start index must be less than or equal to end index");
    }
    if (list.size() < end) {
      throw new EvaluationError(call + "list is length " + list.size());
    }
    return list.subList((int) start, (int) end);
  }

  private static List<Object> flatten(List<?> list, long depth) {
    if (depth < 0) {
      throw new EvaluationError("level must be non-negative");
    }
    List<Object> flat = new ArrayList<>();
    flatten(list, depth, flat);
    return flat;
  }

  private static void flatten(List<?> list, long depth, List<Object> flat) {
    for (Object item : list) {
      if (depth > 0 && item instanceof List<?> nested) {
        flatten(nested, depth - 1, flat);
      } else if (flat.size() == MOST_ITEMS) {
        // lists that are repeated in a list grow with every call
        throw new EvaluationError("flatten() makes more than " + MOST_ITEMS + " elements");
      } else {
        flat.add(item);
      }
    }
  }

  private static List<Object> distinct(List<?> list) {
    List<Object> distinct = new ArrayList<>();
    for (Object item : list) {
      if (!Values.contains(distinct, item)) {
        distinct.add(item);
      }
    }
    return distinct;
  }

  /**
   * The elements of a list in the order of their keys.
   *
   * @param keys as many as elements
   */
  private static List<?> sorted(List<?> list, List<?> keys) {
    if (keys.isEmpty()) {
      return list;
    }
    Object first = keys.getFirst();
    if (Values.compare(first, first) == null && !(first instanceof Double)) {
      throw new EvaluationError("list elements must be comparable");
    }
    for (Object key : keys) {
      if (!Objects.equals(Values.typeOf(key), Values.typeOf(first))) {
        throw new EvaluationError("list elements must have the same type");
      }
    }
    return IntStream.range(0, list.size())
        .boxed()
        .sorted(Comparator.comparing(keys::get, ListExtension::compare))
        .map(list::get)
        .toList();
  }

  private static int compare(Object one, Object other) {
    Integer order = Values.compare(one, other);
    // NaN has no order; somewhere it must be
    return order != null ? order : Double.compare((Double) one, (Double) other);
  }
}
