package dev.keelson.schema.validation.resource;

/** Checks the CEL expressions that select devices. Safe for use by several threads. */
@FunctionalInterface
public interface DeviceExpressions {

  /** The result of a check. */
  sealed interface Finding {

    /** The expression compiles, and its cost is within the limit. */
    record Accepted() implements Finding {}

    /**
     * The expression does not compile.
     *
     * @param problem the compiler's message
     */
    record Wrong(String problem) implements Finding {}

    /** The expression compiles, but may cost more than an evaluation is allowed to. */
    record TooComplex() implements Finding {}
  }

  /** Checks an expression. */
  Finding check(String expression);
}
