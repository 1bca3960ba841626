package dev.keelson.cel.compile;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.keelson.cel.plan.Plan;
import java.util.List;

/**
 * A compiled expression. Immutable.
 *
 * @param tree the checked expression
 * @param plan evaluates it
 * @param variables the variables of its environment in the order of their slots
 */
public record CompiledExpression(CelAbstractSyntaxTree tree, Plan plan, List<String> variables) {

  public CompiledExpression {
    variables = List.copyOf(variables);
  }

  /** Whether the expression refers to a variable of the environment. */
  public boolean refersTo(String variable) {
    return tree.getReferenceMap().values().stream()
        .anyMatch(reference -> reference.name().equals(variable));
  }
}
