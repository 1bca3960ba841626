package dev.keelson.cel.admission;

import dev.keelson.cel.admission.PolicyCompiler.Sees;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The match conditions of a webhook or a policy, compiled (source:
 * apiserver/pkg/admission/plugin/webhook/matchconditions). Immutable; used by several threads.
 */
public final class MatchConditions {

  private final List<Condition> conditions;

  private record Condition(String name, PolicyExpression expression) {}

  private MatchConditions(List<Condition> conditions) {
    this.conditions = List.copyOf(conditions);
  }

  /** What the conditions say of a request. */
  public sealed interface Verdict {
    /** All are true. */
    record Matches() implements Verdict {
      @Override
      public int errors() {
        return 0;
      }
    }

    /**
     * One is false.
     *
     * @param condition the name of the first that is
     * @param errors the number of those before it that cannot be evaluated
     */
    record Excluded(String condition, int errors) implements Verdict {}

    /**
     * None is false, and some cannot be evaluated: the failure policy decides.
     *
     * @param errors their number; 0 if the budget was exceeded
     */
    record Failed(String error, int errors) implements Verdict {}

    /** The number of conditions that cannot be evaluated, for metrics. */
    int errors();
  }

  private static final Verdict MATCHES = new Verdict.Matches();

  /**
   * Compiles conditions.
   *
   * @param conditions each with {@code name} and {@code expression}
   * @param compiler of the policy, after its variables, or for conditions alone
   */
  public static MatchConditions compile(
      List<MapNode> conditions, PolicyCompiler compiler, Set<Sees> sees) {
    List<Condition> compiled = new ArrayList<>(conditions.size());
    for (MapNode condition : conditions) {
      compiled.add(
          new Condition(
              condition.text("name"),
              compiler.compile(condition.text("expression"), ResultType.BOOL, sees)));
    }
    return new MatchConditions(compiled);
  }

  /** Whether there are none, so that everything matches. */
  public boolean isEmpty() {
    return conditions.isEmpty();
  }

  /** Evaluates the conditions, with a budget of their own. */
  public Verdict evaluate(Activation activation) {
    if (conditions.isEmpty()) {
      return MATCHES;
    }
    Budget budget = new Budget(Budget.CONDITIONS);
    List<Outcome> outcomes = new ArrayList<>(conditions.size());
    try {
      for (Condition condition : conditions) {
        outcomes.add(activation.evaluate(condition.expression, budget));
      }
    } catch (OutOfBudgetException e) {
      return new Verdict.Failed(e.text(), 0);
    }
    Set<String> errors = new LinkedHashSet<>();
    int failed = 0;
    for (int i = 0; i < outcomes.size(); i++) {
      Outcome outcome = outcomes.get(i);
      if (outcome.isFalse()) {
        return new Verdict.Excluded(conditions.get(i).name, failed);
      }
      if (outcome.failed()) {
        errors.add(outcome.error());
        failed++;
      }
    }
    if (errors.isEmpty()) {
      return MATCHES;
    }
    return new Verdict.Failed(
        errors.size() == 1 ? errors.iterator().next() : "[" + String.join(", ", errors) + "]",
        failed);
  }
}
