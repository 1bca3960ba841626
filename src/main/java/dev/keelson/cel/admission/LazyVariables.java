package dev.keelson.cel.admission;

import dev.keelson.cel.plan.CostExceededException;
import dev.keelson.cel.plan.Frame;
import dev.keelson.cel.plan.Plan;
import dev.keelson.cel.type.EvaluationError;
import java.util.AbstractMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The value of {@code variables}: each is evaluated when it is first read. Its cost counts against
 * the budget, not against the limit of the expression that reads it (source: composition.go). Used
 * by one thread.
 */
final class LazyVariables extends AbstractMap<String, Object> {

  private final Map<String, PolicyExpression> expressions;
  private final BiFunction<Plan, PolicyExpression, Frame> frames;
  private final Map<String, Object> known = new HashMap<>();
  private long cost;

  /**
   * The variables of an activation.
   *
   * @param frames makes the frame of an expression
   */
  LazyVariables(List<PolicyVariable> variables, BiFunction<Plan, PolicyExpression, Frame> frames) {
    this.frames = frames;
    this.expressions = LinkedHashMap.newLinkedHashMap(variables.size());
    variables.forEach(variable -> expressions.put(variable.name(), variable.expression()));
  }

  /** The cost of the variables that were evaluated since the last call. */
  long takeCost() {
    long taken = cost;
    cost = 0;
    return taken;
  }

  @Override
  public @Nullable Object get(Object key) {
    PolicyExpression expression = key instanceof String name ? expressions.get(name) : null;
    if (expression == null) {
      return null;
    }
    String name = (String) key;
    Object value = known.get(name);
    if (value == null) {
      value = evaluated(name, expression);
      known.put(name, value);
    }
    if (value instanceof EvaluationError problem) {
      throw problem;
    }
    return value;
  }

  private Object evaluated(String name, PolicyExpression expression) {
    Plan plan = expression.plan();
    String variable = "composited variable \"" + name + "\"";
    if (plan == null) {
      return new EvaluationError(variable + " fails to compile: " + expression.error());
    }
    Frame frame = frames.apply(plan, expression);
    try {
      return plan.value(frame);
    } catch (EvaluationError | CostExceededException e) {
      return new EvaluationError(variable + " fails to evaluate: " + e.getMessage());
    } finally {
      cost += frame.cost();
    }
  }

  @Override
  public boolean containsKey(Object key) {
    return expressions.containsKey(key);
  }

  @Override
  public Set<Map.Entry<String, Object>> entrySet() {
    Map<String, Object> all = LinkedHashMap.newLinkedHashMap(expressions.size());
    for (String name : expressions.keySet()) {
      Object value = get(name);
      if (value != null) {
        all.put(name, value);
      }
    }
    return all.entrySet();
  }
}
