package dev.keelson.authz;

import java.util.ArrayList;
import java.util.List;

/**
 * The resolved rules of a user, as in the status of a SelfSubjectRulesReview.
 *
 * @param incomplete whether the rules may be incomplete
 * @param error the evaluation error, or empty
 */
public record ResolvedRules(List<PolicyRule> rules, boolean incomplete, String error) {

  /** No rules. */
  public static final ResolvedRules NONE = new ResolvedRules(List.of(), false, "");

  public ResolvedRules {
    rules = List.copyOf(rules);
  }

  /** Appends the rules and errors of {@code more}. */
  public ResolvedRules and(ResolvedRules more) {
    List<PolicyRule> all = new ArrayList<>(rules);
    all.addAll(more.rules);
    String both =
        error.isEmpty() || more.error.isEmpty() ? error + more.error : error + ", " + more.error;
    return new ResolvedRules(all, incomplete || more.incomplete, both);
  }
}
