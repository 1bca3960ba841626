package dev.keelson.authz;

import java.util.ArrayList;
import java.util.List;

/**
 * The resolved rules of a user, as in the status of a SelfSubjectRulesReview.
 *
 * @param incomplete whether the rules may be incomplete
 * @param errors the evaluation errors
 */
public record ResolvedRules(List<PolicyRule> rules, boolean incomplete, List<String> errors) {

  /** No rules. */
  public static final ResolvedRules NONE = new ResolvedRules(List.of(), false, List.of());

  public ResolvedRules {
    rules = List.copyOf(rules);
    errors = List.copyOf(errors);
  }

  /** The evaluation errors as one message, or empty. */
  public String error() {
    return EvaluationErrors.aggregate(errors);
  }

  /** Appends the rules and errors of {@code more}. */
  public ResolvedRules and(ResolvedRules more) {
    List<PolicyRule> all = new ArrayList<>(rules);
    all.addAll(more.rules);
    List<String> both = new ArrayList<>(errors);
    both.addAll(more.errors);
    return new ResolvedRules(all, incomplete || more.incomplete, both);
  }
}
