package dev.keelson.cel;

import dev.cel.common.values.NullValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts JSON values to CEL values. */
public final class JsonValues {

  /** CEL's null. */
  public static final Object NULL = NullValue.NULL_VALUE;

  private JsonValues() {}

  /**
   * Converts a JSON value; all numbers become {@link Double}s, as in Kubernetes.
   *
   * @param value strings, numbers, booleans, lists, maps and null
   */
  public static Object of(@Nullable Object value) {
    return switch (value) {
      case null -> NULL;
      case Number number -> number.doubleValue();
      case List<?> list -> {
        List<Object> items = new ArrayList<>(list.size());
        for (Object item : list) {
          items.add(of(item));
        }
        yield items;
      }
      case Map<?, ?> map -> {
        Map<String, Object> entries = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          entries.put(String.valueOf(entry.getKey()), of(entry.getValue()));
        }
        yield entries;
      }
      default -> value;
    };
  }
}
