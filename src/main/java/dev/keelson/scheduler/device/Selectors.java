package dev.keelson.scheduler.device;

import dev.keelson.cel.DeviceEnvironment;
import dev.keelson.cel.EvaluationException;
import dev.keelson.cel.Expression;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Quantity;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the CEL expressions that select devices (source: {@code cel/compile.go} of {@code
 * dynamic-resource-allocation}). Confined to the scheduler's loop. The CEL library is loaded for
 * the first expression.
 */
final class Selectors {

  /** More expressions are seldom in use at once. */
  private static final int MOST_COMPILED = 100;

  private final Map<String, Expression> compiled =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Expression> eldest) {
          return size() > MOST_COMPILED;
        }
      };

  private @Nullable DeviceEnvironment environment;

  /** A domain without attributes is like one with none that is asked for. */
  private static final class ByDomain extends HashMap<String, Object> {
    private static final long serialVersionUID = 1L;

    @Override
    public Object get(@Nullable Object key) {
      return getOrDefault(key, Map.of());
    }
  }

  /**
   * Whether a selector selects a device.
   *
   * @throws AllocationException if it cannot be compiled or evaluated
   */
  boolean selects(String expression, Device device) throws AllocationException {
    Expression program = compiled.get(expression);
    if (program == null) {
      program = compile(expression);
      Expression unused = compiled.put(expression, program);
    }
    try {
      return program.holds(Map.of(DeviceEnvironment.DEVICE, value(device)));
    } catch (EvaluationException e) {
      throw new AllocationException("CEL runtime error: " + e.getMessage());
    }
  }

  private Expression compile(String expression) throws AllocationException {
    DeviceEnvironment known = environment;
    if (known == null) {
      known = new DeviceEnvironment();
      environment = known;
    }
    try {
      return known.compile(expression);
    } catch (IllegalArgumentException e) {
      throw new AllocationException("CEL compile error: " + e.getMessage());
    }
  }

  private static Map<String, Object> value(Device device) throws AllocationException {
    Map<String, Object> attributes = new ByDomain();
    for (String name : device.attributes().keys()) {
      put(attributes, device, name, attribute(device.attributes().map(name)));
    }
    Map<String, Object> capacity = new ByDomain();
    for (String name : device.capacity().keys()) {
      String amount = device.capacity().map(name).text("value");
      put(capacity, device, name, Quantity.tryParse(amount).orElse(Quantity.of(0)));
    }
    return Map.of(
        "driver",
        device.id().driver(),
        "attributes",
        attributes,
        "capacity",
        capacity,
        "allowMultipleAllocations",
        device.shared());
  }

  private static void put(
      Map<String, Object> byDomain, Device device, String name, @Nullable Object value) {
    if (value == null) {
      return;
    }
    int slash = name.indexOf('/');
    String domain = slash < 0 ? device.id().driver() : name.substring(0, slash);
    // the type of the map is that of this method only
    @SuppressWarnings("unchecked")
    Map<String, Object> values =
        (Map<String, Object>)
            byDomain.computeIfAbsent(domain, key -> new HashMap<String, Object>());
    Object unused = values.put(name.substring(slash + 1), value);
  }

  private static @Nullable Object attribute(MapNode attribute) throws AllocationException {
    if (attribute.isEmpty()) {
      return null;
    }
    Node value = attribute.valueAt(0);
    if (attribute.keyAt(0).equals("version") && value instanceof Node.Text text) {
      try {
        return DeviceEnvironment.version(text.value());
      } catch (IllegalArgumentException e) {
        throw new AllocationException(
            "CEL runtime error: parse semantic version: " + e.getMessage());
      }
    }
    return switch (value) {
      case Node.Text text -> text.value();
      case Node.Int number -> number.value();
      case Node.Bool truth -> truth.value();
      default -> null;
    };
  }
}
