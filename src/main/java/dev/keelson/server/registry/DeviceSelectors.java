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
 * KEP-4381; values of attributes and capacities are found out at evaluation. The CEL library is
 * loaded for the first expression. Safe for use by several threads.
 */
final class DeviceSelectors implements UnaryOperator<String> {

  private static final ValueType BY_DOMAIN = new MapOf(new MapOf(Simple.ANY));
  private static final ValueType DEVICE =
      new Struct(
          "kubernetes.DRADevice",
          Map.of(
              "driver",
              Simple.TEXT,
              "attributes",
              BY_DOMAIN,
              "capacity",
              BY_DOMAIN,
              "allowMultipleAllocations",
              Simple.BOOL));

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
      // two threads may both make one; either is good
      known = new Environment(Map.of("device", DEVICE));
      environment = known;
    }
    return known;
  }
}
