package dev.keelson.server.registry;

import dev.keelson.cel.DeviceEnvironment;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the CEL expressions by which claims and classes select devices, and returns the problem
 * with an expression, empty if there is none. The CEL library is loaded for the first expression.
 * Safe for use by several threads.
 */
final class DeviceSelectors implements UnaryOperator<String> {

  private volatile @Nullable DeviceEnvironment environment;

  @Override
  public String apply(String expression) {
    try {
      environment().compile(expression);
      return "";
    } catch (IllegalArgumentException e) {
      String problem = e.getMessage();
      return problem == null ? "compilation failed" : problem;
    }
  }

  private DeviceEnvironment environment() {
    DeviceEnvironment known = environment;
    if (known == null) {
      // two threads may both create one; either is valid
      known = new DeviceEnvironment();
      environment = known;
    }
    return known;
  }
}
