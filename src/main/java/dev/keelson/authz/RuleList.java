package dev.keelson.authz;

import java.util.ArrayList;
import java.util.List;

/**
 * What someone may do, as a list.
 *
 * @param incomplete whether there may be more than the list says
 * @param error why, or empty
 */
public record RuleList(List<PolicyRule> rules, boolean incomplete, String error) {

  /** Nothing. */
  public static final RuleList NONE = new RuleList(List.of(), false, "");

  public RuleList {
    rules = List.copyOf(rules);
  }

  /** This list and {@code more} behind it. */
  public RuleList and(RuleList more) {
    List<PolicyRule> all = new ArrayList<>(rules);
    all.addAll(more.rules);
    String both =
        error.isEmpty() || more.error.isEmpty() ? error + more.error : error + ", " + more.error;
    return new RuleList(all, incomplete || more.incomplete, both);
  }
}
