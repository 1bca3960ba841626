package dev.keelson.cel.admission;

import dev.keelson.cel.compile.CompiledExpression;
import dev.keelson.cel.plan.Plan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A compiled expression, or one that does not compile. Immutable; used by several threads. */
public final class PolicyExpression {

  private final String text;
  private final String error;
  private final @Nullable Plan plan;

  /** The input of each slot of the plan; null for those that the expression does not use. */
  private final @Nullable Input[] inputs;

  private PolicyExpression(
      String text, String error, @Nullable Plan plan, @Nullable Input[] inputs) {
    this.text = text;
    this.error = error;
    this.plan = plan;
    this.inputs = inputs;
  }

  static PolicyExpression wrong(String text, String error) {
    return new PolicyExpression(text, error, null, new Input[0]);
  }

  static PolicyExpression of(String text, CompiledExpression compiled) {
    List<String> variables = compiled.variables();
    @Nullable Input[] inputs = new Input[variables.size()];
    for (Input input : Input.values()) {
      int slot = variables.indexOf(input.word());
      if (slot >= 0 && compiled.refersTo(input.word())) {
        inputs[slot] = input;
      }
    }
    return new PolicyExpression(text, "", compiled.plan(), inputs);
  }

  /** The source. */
  public String text() {
    return text;
  }

  /** Why it does not compile; empty if it does. */
  public String error() {
    return error;
  }

  @Nullable Plan plan() {
    return plan;
  }

  @Nullable Input[] inputs() {
    return inputs;
  }

  @Override
  public String toString() {
    return text;
  }
}
