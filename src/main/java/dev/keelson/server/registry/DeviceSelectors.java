package dev.keelson.server.registry;

import dev.keelson.cel.DeviceEnvironment;
import dev.keelson.schema.validation.resource.DeviceExpressions;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the CEL expressions by which claims and classes select devices. The CEL library is
 * loaded for the first expression. Safe for use by several threads.
 */
final class DeviceSelectors implements DeviceExpressions {

  private volatile @Nullable DeviceEnvironment environment;

  @Override
  public Finding check(String expression) {
    try {
      DeviceEnvironment environment = environment();
      return environment.isTooComplex(environment.compile(expression))
          ? new Finding.TooComplex()
          : new Finding.Accepted();
    } catch (IllegalArgumentException e) {
      String problem = e.getMessage();
      return new Finding.Wrong(problem == null ? "compilation failed" : problem);
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
