package dev.keelson.cel;

import com.google.protobuf.NullValue;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A compiled expression. Values of variables and results are strings, booleans, {@link Long}s,
 * {@link Double}s, lists, maps and {@link JsonValues#NULL}. Safe for use by several threads; an
 * evaluation does not block and is limited to five seconds.
 */
public final class Expression {

  private final String text;
  private final CelAbstractSyntaxTree tree;
  private final CelRuntime.Program program;
  private final long mostCost;

  Expression(String text, CelAbstractSyntaxTree tree, CelRuntime.Program program, long mostCost) {
    this.text = text;
    this.tree = tree;
    this.program = program;
    this.mostCost = mostCost;
  }

  /** The source of the expression. */
  public String text() {
    return text;
  }

  /**
   * Evaluates the expression.
   *
   * @param variables a value for each variable of the environment
   * @throws EvaluationException if the evaluation fails
   */
  public Object value(Map<String, ?> variables) throws EvaluationException {
    CostBudget budget = new CostBudget(mostCost);
    Object value;
    try {
      value = program.trace(variables, budget);
    } catch (CelEvaluationException | RuntimeException e) {
      // the library does not wrap some errors of functions
      throw budget.spent()
          ? tooExpensive()
          : new EvaluationException(String.valueOf(e.getMessage()), e);
    } catch (StackOverflowError e) {
      throw new EvaluationException("the expression is nested too deeply", e);
    }
    if (budget.spent()) {
      throw tooExpensive();
    }
    // the library has its own null for literals
    return value == null || value instanceof dev.cel.common.values.NullValue
        ? JsonValues.NULL
        : value;
  }

  private static EvaluationException tooExpensive() {
    return new EvaluationException(
        "operation cancelled: actual cost limit exceeded, or "
            + CostBudget.LONGEST
            + " have passed");
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

  /** Whether it reads a field of a variable, in any CEL syntax. */
  public boolean looksAt(String variable, String field) {
    return CelNavigableAst.fromAst(tree)
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
