package dev.keelson.schema.structural;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Decimal;
import dev.keelson.object.Node.Int;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.GoFloat;
import dev.keelson.value.Utf8Order;
import dev.keelson.value.ValueFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The form in which Kubernetes prints values without a Go type: keys in the order of their UTF-8
 * bytes, numbers as 64-bit integers or as 64-bit floating point numbers.
 */
public final class NormalForm {

  /** 2^63: whole numbers below are integers when they are read again. */
  private static final double INTEGERS_BELOW = 0x1p63;

  private NormalForm() {}

  /**
   * The value in normal form; the same instance if it has it, and parts that have it are shared.
   *
   * @throws ValueFormatException if a number is beyond the range of 64-bit floating point
   */
  public static Node of(Node value) {
    return switch (value) {
      case MapNode map -> of(map);
      case Items items -> items(items);
      case Decimal number -> decimal(number);
      case Node.Text _, Int _, Node.Bool _, Node.Null _ -> value;
    };
  }

  /** {@link #of(Node)} of an object. */
  public static MapNode of(MapNode map) {
    boolean sorted = true;
    for (int i = 1; sorted && i < map.size(); i++) {
      sorted = Utf8Order.compare(map.keyAt(i - 1), map.keyAt(i)) < 0;
    }
    if (!sorted) {
      Map<String, Node> entries = new TreeMap<>(Utf8Order::compare);
      map.forEach((key, value) -> entries.put(key, of(value)));
      return MapNode.copyOf(entries);
    }
    MapNode.@Nullable Builder changed = null;
    for (int i = 0; i < map.size(); i++) {
      Node before = map.valueAt(i);
      Node after = of(before);
      if (after != before && changed == null) {
        changed = MapNode.builder(map.size());
        for (int j = 0; j < i; j++) {
          changed.put(map.keyAt(j), map.valueAt(j));
        }
      }
      if (changed != null) {
        changed.put(map.keyAt(i), after);
      }
    }
    return changed == null ? map : changed.build();
  }

  private static Items items(Items items) {
    @Nullable List<Node> changed = null;
    List<Node> values = items.values();
    for (int i = 0; i < values.size(); i++) {
      Node before = values.get(i);
      Node after = of(before);
      if (after != before) {
        changed = changed == null ? new ArrayList<>(values) : changed;
        changed.set(i, after);
      }
    }
    return changed == null ? items : new Items(changed);
  }

  private static Node decimal(Decimal number) {
    Node normal = number(number.literal());
    return normal.equals(number) ? number : normal;
  }

  /**
   * The number that a JSON literal is which is not a 64-bit integer.
   *
   * @throws ValueFormatException with Go's message if it is beyond the range of 64-bit floating
   *     point
   */
  public static Node number(String literal) {
    double value = GoFloat.parse(literal);
    long whole = (long) value;
    // a negative zero is zero when it is read again
    return whole == value && Math.abs(value) < INTEGERS_BELOW
        ? new Int(whole)
        : new Decimal(GoFloat.json(value));
  }
}
