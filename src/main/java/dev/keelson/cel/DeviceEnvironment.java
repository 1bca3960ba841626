package dev.keelson.cel;

import dev.keelson.cel.ValueType.MapOf;
import dev.keelson.cel.ValueType.Simple;
import dev.keelson.cel.ValueType.Struct;
import dev.keelson.cel.library.Semver;
import java.util.Map;

/**
 * The environment of the expressions by which claims and classes select devices: the variable
 * {@code device} with the fields of KEP-4381. The values of attributes are of the unknown type,
 * since without the feature DRAListTypeAttributes none is a list. Creating the first one loads the
 * CEL library. Safe for use by several threads.
 */
public final class DeviceEnvironment {

  /** The variable. */
  public static final String DEVICE = "device";

  private final Environment environment = Environment.withBindings(Map.of(DEVICE, device()));

  /**
   * Compiles a selector.
   *
   * @throws IllegalArgumentException with the compiler's message
   */
  public Expression compile(String expression) {
    return environment.compileCondition(expression);
  }

  /** Whether an evaluation of a selector may cost more than is allowed. */
  public boolean isTooComplex(Expression selector) {
    return worstCost(selector) > Expression.MOST_COST;
  }

  /** What an evaluation of a selector costs for the largest device. */
  static long worstCost(Expression selector) {
    return selector.worstCost(new DeviceSizes());
  }

  /**
   * The value of an attribute that is a version.
   *
   * @throws IllegalArgumentException if it is not a semantic version
   */
  public static Object version(String text) {
    return Semver.parse(text);
  }

  /**
   * The type of a device. Not a constant: the classes of this package are initialized at run time,
   * so that no object of theirs may be in the heap of the native executable.
   */
  private static ValueType device() {
    return new Struct(
        "kubernetes.DRADevice",
        Map.of(
            "driver",
            Simple.TEXT,
            "attributes",
            new MapOf(new MapOf(Simple.UNKNOWN)),
            "capacity",
            new MapOf(new MapOf(Simple.QUANTITY)),
            "allowMultipleAllocations",
            Simple.BOOL));
  }
}
