package dev.keelson.schema.validation;

/** Stands for the CEL compiler: an expression with an open parenthesis alone does not compile. */
final class TestExpressions {

  private TestExpressions() {}

  static String problem(String expression) {
    return expression.equals("(") ? "compilation failed" : "";
  }
}
