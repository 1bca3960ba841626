package dev.keelson.audit.policy;

import java.util.List;

/**
 * A policy as its file says; words are not yet checked.
 *
 * @param rules the rules in order, of which the first that matches decides
 * @param omitStages stages at which no rule generates events
 * @param omitManagedFields whether managedFields are left out, unless a rule says otherwise
 */
record Policy(List<PolicyRule> rules, List<String> omitStages, boolean omitManagedFields) {
  Policy {
    rules = List.copyOf(rules);
    omitStages = List.copyOf(omitStages);
  }
}
