package dev.keelson.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import dev.cel.common.types.SimpleType;
import dev.keelson.cel.compile.CompilationException;
import dev.keelson.cel.compile.CompiledExpression;
import dev.keelson.cel.compile.ExpressionCompiler;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The environment of expressions: variables, the standard functions and macros of CEL, and
 * Kubernetes' libraries: optional values, strings, sets, lists, regular expressions, two-variable
 * comprehensions, quantities, IP addresses, URLs and formats. The first environment loads the CEL
 * library, so it is created for the first expression only.
 */
public final class Environment {

  private final ExpressionCompiler compiler;
  private final long mostCost;

  /**
   * @param variables the types of variables by name
   */
  public Environment(Map<String, ValueType> variables) {
    this(variables, Expression.MOST_COST);
  }

  Environment(Map<String, ValueType> variables, long mostCost) {
    this(new ExpressionCompiler(new DeclaredTypes(variables), types(variables)), mostCost);
  }

  private Environment(ExpressionCompiler compiler, long mostCost) {
    this.compiler = compiler;
    this.mostCost = mostCost;
  }

  /** An environment whose expressions may also name values by {@code cel.bind}. */
  static Environment withBindings(Map<String, ValueType> variables) {
    return new Environment(
        ExpressionCompiler.withBindings(new DeclaredTypes(variables), types(variables)),
        Expression.MOST_COST);
  }

  private static Map<String, CelType> types(Map<String, ValueType> variables) {
    Map<String, CelType> types = new LinkedHashMap<>();
    variables.forEach((name, type) -> types.put(name, DeclaredTypes.of(type)));
    return types;
  }

  /**
   * Compiles an expression.
   *
   * @param result the required type; dynamically typed expressions match every type
   * @throws IllegalArgumentException with the compiler's message, which has line and column
   */
  public Expression compile(String text, ValueType result) {
    CompiledExpression compiled = compiled(text);
    CelType found = compiled.tree().getResultType();
    if (!found.equals(SimpleType.DYN)) {
      require(result, found);
    }
    return new Expression(text, compiled, mostCost);
  }

  /**
   * Compiles a condition; expressions of the unknown type are conditions too.
   *
   * @throws IllegalArgumentException with the compiler's message, which has line and column
   */
  Expression compileCondition(String text) {
    CompiledExpression compiled = compiled(text);
    CelType found = compiled.tree().getResultType();
    if (!found.equals(SimpleType.ANY) && !found.equals(SimpleType.BOOL)) {
      throw new IllegalArgumentException(
          "must evaluate to bool or the unknown type, not " + CelTypes.format(found));
    }
    return new Expression(text, compiled, mostCost);
  }

  /**
   * Compiles an expression whose type is known to be the required one: a dynamically typed one only
   * matches any type.
   *
   * @param result the required type
   * @throws IllegalArgumentException with the compiler's message, which has line and column
   */
  public Expression compileExactly(String text, ValueType result) {
    CompiledExpression compiled = compiled(text);
    require(result, compiled.tree().getResultType());
    return new Expression(text, compiled, mostCost);
  }

  private CompiledExpression compiled(String text) {
    try {
      return compiler.compile(text);
    } catch (CompilationException e) {
      throw new IllegalArgumentException(e.text(), e);
    }
  }

  private static void require(ValueType result, CelType found) {
    if (result != ValueType.Simple.ANY && !DeclaredTypes.of(result).isAssignableFrom(found)) {
      throw new IllegalArgumentException("must evaluate to " + result.word());
    }
  }
}
