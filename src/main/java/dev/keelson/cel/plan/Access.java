package dev.keelson.cel.plan;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.TypeType;
import dev.cel.common.values.NullValue;
import dev.keelson.cel.type.EvaluationError;
import dev.keelson.cel.type.FieldNames;
import dev.keelson.cel.type.ObjectValue;
import dev.keelson.cel.type.TreeMapView;
import dev.keelson.cel.type.Values;
import dev.keelson.value.GoFloat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Steps that read data: constants, variables, fields and indexes. */
final class Access {

  /** More than any list has: two to the power of 63, from which on numbers are no integers. */
  private static final double MOST_PLACES = 0x1p63;

  private Access() {}

  /** A constant. */
  static final class Constant extends Step {
    private final Object value;

    Constant(Object value) {
      this.value = value;
    }

    Object constant() {
      return value;
    }

    @Override
    Object value(Frame frame) {
      return value;
    }
  }

  /** A variable. */
  static final class Variable extends Step {
    private final String name;
    private final int slot;

    Variable(String name, int slot) {
      this.name = name;
      this.slot = slot;
    }

    @Override
    Object value(Frame frame) {
      frame.charge(1);
      Object value = frame.get(slot);
      if (value == null) {
        throw new EvaluationError("no such attribute(s): " + name);
      }
      if (value instanceof EvaluationError problem) {
        throw problem;
      }
      return value;
    }

    @Override
    boolean isAttribute() {
      return true;
    }
  }

  /** {@code operand.field}, and {@code has(operand.field)}. */
  static final class Field extends Step {
    private final Step operand;
    private final String identifier;
    private final String property;
    private final boolean test;
    private final long cost;

    Field(Step operand, String identifier, boolean test) {
      this.operand = operand;
      this.identifier = identifier;
      this.property = FieldNames.unescape(identifier);
      this.test = test;
      // a presence test costs as much as its operand (PresenceTestHasCost(false) of cel-go)
      this.cost = (operand.isAttribute() ? 0L : 1L) + (test ? 0 : 1);
    }

    @Override
    Object value(Frame frame) {
      Object from = operand.value(frame);
      if (from instanceof Optional<?> optional) {
        Object found = optional.isEmpty() ? null : find(optional.get());
        if (found != null || test) {
          frame.charge(cost);
        }
        return test ? (Object) (found != null) : Optional.ofNullable(found);
      }
      frame.charge(cost);
      if (test && from instanceof ObjectValue object) {
        return object.has(identifier);
      }
      Object found = find(from);
      if (test) {
        return found != null;
      }
      if (found == null) {
        throw new EvaluationError("no such key: " + identifier);
      }
      return found;
    }

    private @Nullable Object find(Object from) {
      if (from instanceof TreeMapView view) {
        return view.field(view.isObject() ? property : identifier);
      }
      if (from instanceof Map<?, ?> map) {
        return map.get(identifier);
      }
      if (from instanceof List<?>) {
        throw unsupported("type 'string'");
      }
      // null and other values without fields have no keys
      return null;
    }

    @Override
    boolean isAttribute() {
      return !test;
    }
  }

  /** {@code operand[index]}, and {@code operand.?field} or {@code operand[?index]}. */
  static final class Index extends Step {
    private final Step operand;
    private final Step index;
    private final boolean optional;
    private final long before;
    private final long cost;

    /**
     * @param optional whether an optional value is the result
     */
    Index(Step operand, Step index, boolean optional) {
      this.operand = operand;
      this.index = index;
      this.optional = optional;
      this.before = operand.isAttribute() ? 0 : 1;
      // the cost of an index that is an attribute is the attribute's
      this.cost = index.isAttribute() ? 0 : 1;
    }

    @Override
    Object value(Frame frame) {
      Object from = operand.value(frame);
      Object key = index.value(frame);
      frame.charge(before);
      if (from instanceof Optional<?> container) {
        return container.isEmpty() ? container : found(frame, find(container.get(), key));
      }
      if (optional) {
        return found(frame, find(from, key));
      }
      frame.charge(cost);
      Object found = find(from, key);
      if (found == null) {
        throw new EvaluationError(
            (from instanceof List<?> ? "index out of bounds: " : "no such key: ") + shown(key));
      }
      return found;
    }

    /** An optional value; one that is absent costs nothing. */
    private Optional<Object> found(Frame frame, @Nullable Object value) {
      if (value != null) {
        frame.charge(cost);
      }
      return Optional.ofNullable(value);
    }

    @Override
    boolean isAttribute() {
      return true;
    }
  }

  private static @Nullable Object find(Object from, Object key) {
    if (from instanceof List<?> list) {
      long place = place(key);
      return place < 0 || place >= list.size() ? null : list.get((int) place);
    }
    if (from instanceof TreeMapView view && view.isObject()) {
      return key instanceof String name ? view.field(FieldNames.unescape(name)) : null;
    }
    return from instanceof Map<?, ?> map ? Values.find(map, key) : null;
  }

  private static long place(Object key) {
    return switch (key) {
      case Long number -> number;
      case UnsignedLong number when number.longValue() >= 0 -> number.longValue();
      case Double number when number == Math.rint(number) && Math.abs(number) < MOST_PLACES ->
          number.longValue();
      case UnsignedLong number -> throw unsupported("value " + number);
      case Double number when Double.isFinite(number) ->
          throw unsupported("value " + GoFloat.print(number));
      default -> {
        TypeType type = Values.typeOf(key);
        throw unsupported("type '" + (type == null ? "" : type.containingTypeName()) + "'");
      }
    };
  }

  private static EvaluationError unsupported(String index) {
    return new EvaluationError("unsupported index " + index + " in list");
  }

  private static Object shown(Object key) {
    return key == NullValue.NULL_VALUE ? "null" : key;
  }
}
