package dev.keelson.cel;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.values.NullValue;
import dev.keelson.cel.compile.CompiledExpression;
import dev.keelson.cel.cost.CostEstimator;
import dev.keelson.cel.cost.SizeLimits;
import dev.keelson.cel.plan.CostExceededException;
import dev.keelson.cel.plan.Frame;
import dev.keelson.cel.type.EvaluationError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A compiled expression. Values of variables and results are strings, booleans, {@link Long}s,
 * {@link Double}s, lists, maps and {@link JsonValues#NULL}. Safe for use by several threads; an
 * evaluation does not block and is limited to five seconds.
 */
public final class Expression {

  /** Kubernetes' limit of the cost of one expression (PerCallLimit). */
  static final long MOST_COST = 1_000_000;

  private final String text;
  private final CompiledExpression compiled;
  private final long mostCost;

  Expression(String text, CompiledExpression compiled, long mostCost) {
    this.text = text;
    this.compiled = compiled;
    this.mostCost = mostCost;
  }

  /** The source of the expression. */
  public String text() {
    return text;
  }

  /**
   * Evaluates the expression.
   *
   * @param values a value for each variable of the environment
   * @throws EvaluationException if the evaluation fails
   */
  public Object value(Map<String, ?> values) throws EvaluationException {
    Frame frame = new Frame(compiled.plan().slots(), mostCost);
    List<String> variables = compiled.variables();
    for (int i = 0; i < variables.size(); i++) {
      frame.set(i, values.get(variables.get(i)));
    }
    try {
      return compiled.plan().value(frame);
    } catch (EvaluationError | CostExceededException e) {
      throw new EvaluationException(String.valueOf(e.getMessage()), e);
    } catch (StackOverflowError e) {
      throw new EvaluationException("the expression is nested too deeply", e);
    }
  }

  /**
   * Evaluates a condition.
   *
   * @throws EvaluationException if the evaluation fails or the result is not a boolean
   */
  public boolean holds(Map<String, ?> variables) throws EvaluationException {
    if (value(variables) instanceof Boolean holds) {
      return holds;
    }
    throw new EvaluationException("the expression must return a bool");
  }

  /**
   * Evaluates to a string.
   *
   * @throws EvaluationException if the evaluation fails or the result is not a string
   */
  public String textValue(Map<String, ?> variables) throws EvaluationException {
    if (value(variables) instanceof String found) {
      return found;
    }
    throw new EvaluationException("the expression must return a string");
  }

  /**
   * Evaluates to a list of strings or a single one; null is an empty list, and empty strings are
   * omitted.
   *
   * @throws EvaluationException if the evaluation fails or the result has another type
   */
  public List<String> texts(Map<String, ?> variables) throws EvaluationException {
    Object value = value(variables);
    List<?> items =
        switch (value) {
          case List<?> list -> list;
          case NullValue none -> List.of();
          default -> List.of(value);
        };
    List<String> texts = new ArrayList<>();
    for (Object item : items) {
      if (!(item instanceof String found)) {
        throw new EvaluationException("the expression must return a string or a list of strings");
      }
      if (!found.isEmpty()) {
        texts.add(found);
      }
    }
    return texts;
  }

  /**
   * What an evaluation costs at worst.
   *
   * @param sizes those of the variables
   */
  long worstCost(SizeLimits sizes) {
    try {
      return CostEstimator.estimate(compiled.tree(), sizes).max();
    } catch (StackOverflowError e) {
      // nested too deeply to tell
      return Long.MAX_VALUE;
    }
  }

  /** Whether it reads a field of a variable, in any CEL syntax. */
  public boolean looksAt(String variable, String field) {
    return CelNavigableAst.fromAst(compiled.tree())
        .getRoot()
        .allNodes()
        .anyMatch(node -> selects(node.expr(), variable, field));
  }

  private static boolean selects(CelExpr expression, String variable, String field) {
    return switch (expression.getKind()) {
      case SELECT ->
          expression.select().field().equals(field)
              && names(expression.select().operand(), variable);
      case CALL -> {
        CelExpr.CelCall call = expression.call();
        yield switch (call.function()) {
          case "_[_]", "_?._", "_[?_]" ->
              names(call.args().get(0), variable) && isText(call.args().get(1), field);
          default -> false;
        };
      }
      default -> false;
    };
  }

  private static boolean names(CelExpr expression, String variable) {
    return expression.getKind() == ExprKind.Kind.IDENT
        && expression.ident().name().equals(variable);
  }

  private static boolean isText(CelExpr expression, String text) {
    return expression.getKind() == ExprKind.Kind.CONSTANT
        && expression.constant().getKind() == CelConstant.Kind.STRING_VALUE
        && expression.constant().stringValue().equals(text);
  }

  @Override
  public String toString() {
    return text;
  }
}
