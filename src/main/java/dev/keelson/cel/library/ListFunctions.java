package dev.keelson.cel.library;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import dev.keelson.cel.library.FunctionDeclarations.Type;
import dev.keelson.cel.type.EvaluationError;
import dev.keelson.cel.type.Values;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Kubernetes' CEL library of lists: {@code isSorted}, {@code sum}, {@code min}, {@code max}, {@code
 * indexOf} and {@code lastIndexOf} (source: apiserver/pkg/cel/library/lists.go).
 */
final class ListFunctions {

  private static final CelType ITEM = TypeParamType.create("T");

  private static final List<CelType> SUMMABLE =
      List.of(SimpleType.INT, SimpleType.UINT, SimpleType.DOUBLE, SimpleType.DURATION);

  /** The types whose values have an order. */
  static final List<CelType> COMPARABLE =
      List.of(
          SimpleType.INT,
          SimpleType.UINT,
          SimpleType.DOUBLE,
          SimpleType.BOOL,
          SimpleType.DURATION,
          SimpleType.TIMESTAMP,
          SimpleType.STRING,
          SimpleType.BYTES);

  private ListFunctions() {}

  static void addTo(FunctionDeclarations functions) {
    for (CelType type : SUMMABLE) {
      functions.member(
          "sum", id(type, "sum_", type), type, list(type), list -> sum(list, zero(type)));
    }
    for (CelType type : COMPARABLE) {
      functions
          .member(
              "isSorted",
              "list_" + word(type) + "_is_sorted_bool",
              SimpleType.BOOL,
              list(type),
              ListFunctions::isSorted)
          .member("min", id(type, "min_", type), type, list(type), list -> extreme("min", list, -1))
          .member("max", id(type, "max_", type), type, list(type), list -> extreme("max", list, 1));
    }
    Type<Object> item = new Type<>(ITEM, Object.class);
    functions
        .member(
            "indexOf",
            "list_a_index_of_int",
            SimpleType.INT,
            list(ITEM),
            item,
            ListFunctions::first)
        .member(
            "lastIndexOf",
            "list_a_last_index_of_int",
            SimpleType.INT,
            list(ITEM),
            item,
            ListFunctions::last);
  }

  @SuppressWarnings("unchecked") // a class has no arguments of its type
  static Type<List<?>> list(CelType item) {
    return new Type<>(ListType.create(item), (Class<List<?>>) (Class<?>) List.class);
  }

  private static String id(CelType list, String function, CelType result) {
    return "list_" + word(list) + "_" + function + word(result);
  }

  private static String word(CelType type) {
    return type.kind().name().toLowerCase(Locale.ROOT);
  }

  /** The sum of an empty list. */
  private static Object zero(CelType type) {
    return switch (type.kind()) {
      case UINT -> UnsignedLong.ZERO;
      case DOUBLE -> 0.0;
      case DURATION -> Duration.ZERO;
      default -> 0L;
    };
  }

  private static boolean isSorted(List<?> list) {
    for (int i = 1; i < list.size(); i++) {
      if (compare(list.get(i - 1), list.get(i)) > 0) {
        return false;
      }
    }
    return true;
  }

  private static Object sum(List<?> list, Object zero) {
    if (list.isEmpty()) {
      return zero;
    }
    Object sum = list.getFirst();
    for (Object item : list.subList(1, list.size())) {
      sum = plus(sum, item);
    }
    return sum;
  }

  private static Object plus(Object sum, Object item) {
    try {
      return switch (sum) {
        case Long number when item instanceof Long more -> Math.addExact(number, more);
        case Double number when item instanceof Double more -> number + more;
        case UnsignedLong number when item instanceof UnsignedLong more -> whole(number, more);
        case Duration span when item instanceof Duration more -> span.plus(more);
        default -> throw EvaluationError.noSuchOverload();
      };
    } catch (ArithmeticException e) {
      throw new EvaluationError(sum instanceof Duration ? "duration overflow" : "integer overflow");
    }
  }

  private static UnsignedLong whole(UnsignedLong one, UnsignedLong other) {
    UnsignedLong sum = one.plus(other);
    if (sum.compareTo(one) < 0) {
      throw new EvaluationError("unsigned integer overflow");
    }
    return sum;
  }

  private static Object extreme(String name, List<?> list, int sign) {
    if (list.isEmpty()) {
      throw new EvaluationError(name + " called on empty list");
    }
    Object best = list.getFirst();
    for (Object item : list) {
      if (Integer.signum(compare(item, best)) == sign) {
        best = item;
      }
    }
    return best;
  }

  /** NaN has no order: it is neither less nor greater, so it never decides. */
  private static int compare(Object left, Object right) {
    Integer order = Values.compare(left, right);
    if (order != null) {
      return order;
    }
    if (left instanceof Double && right instanceof Double) {
      return 0;
    }
    throw EvaluationError.noSuchOverload();
  }

  private static long first(List<?> list, Object item) {
    for (int i = 0; i < list.size(); i++) {
      if (Values.same(list.get(i), item)) {
        return i;
      }
    }
    return -1;
  }

  private static long last(List<?> list, Object item) {
    for (int i = list.size() - 1; i >= 0; i--) {
      if (Values.same(list.get(i), item)) {
        return i;
      }
    }
    return -1;
  }
}
