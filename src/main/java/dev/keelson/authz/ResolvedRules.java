package dev.keelson.authz;

import java.util.ArrayList;
import java.util.List;

/**
 * What someone may do, as a list.
 *
 * @param incomplete whether there may be more than the list says
 * @param error why, or empty
 */
public record ResolvedRules(List<PolicyRule> rules, boolean incomplete, String error) {

  /** Nothing. */
  public static final ResolvedRules NONE = new ResolvedRules(List.of(), false, "");

  public ResolvedRules {
    rules = List.copyOf(rules);
  }

  /** This list and {@code more} behind it. */
  public ResolvedRules and(ResolvedRules more) {
    List<PolicyRule> all = new ArrayList<>(rules);
    all.addAll(more.rules);
    String both =
        error.isEmpty() || more.error.isEmpty() ? error + more.error : error + ", " + more.error;
    return new ResolvedRules(all, incomplete || more.incomplete, both);
  }
}
