package dev.keelson.server.registry;

import dev.keelson.cel.Environment;
import dev.keelson.cel.ValueType;
import dev.keelson.cel.ValueType.MapOf;
import dev.keelson.cel.ValueType.Simple;
import dev.keelson.cel.ValueType.Struct;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the CEL expressions by which claims and classes select devices, and returns the problem
 * with an expression, empty if there is none. The variable {@code device} has the fields of
 * KEP-4381; the values of attributes and capacities are dynamically typed. The CEL library is
 * loaded for the first expression. Safe for use by several threads.
 */
final class DeviceSelectors implements UnaryOperator<String> {

  private volatile @Nullable Environment environment;

  @Override
  public String apply(String expression) {
    try {
      environment().compile(expression, Simple.BOOL);
      return "";
    } catch (IllegalArgumentException e) {
      String problem = e.getMessage();
      return problem == null ? "compilation failed" : problem;
    }
  }

  private Environment environment() {
    Environment known = environment;
    if (known == null) {
      // two threads may both create one; either is valid
      known = new Environment(Map.of("device", device()));
      environment = known;
    }
    return known;
  }

  /**
   * The type of a device. Not a constant: the classes of {@code cel} are initialized at run time,
   * so that no object of theirs may be in the heap of the native executable.
   */
  private static ValueType device() {
    ValueType byDomain = new MapOf(new MapOf(Simple.ANY));
    return new Struct(
        "kubernetes.DRADevice",
        Map.of(
            "driver",
            Simple.TEXT,
            "attributes",
            byDomain,
            "capacity",
            byDomain,
            "allowMultipleAllocations",
            Simple.BOOL));
  }
}
