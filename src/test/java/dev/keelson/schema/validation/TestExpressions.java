package dev.keelson.schema.validation;

import dev.keelson.schema.validation.resource.DeviceExpressions.Finding;

/**
 * Stands for the CEL compiler: an expression with an open parenthesis alone does not compile, and
 * that of "complex" is too complex.
 */
final class TestExpressions {

  private TestExpressions() {}

  static Finding problem(String expression) {
    return switch (expression) {
      case "(" -> new Finding.Wrong("compilation failed");
      case "complex" -> new Finding.TooComplex();
      default -> new Finding.Accepted();
    };
  }
}
