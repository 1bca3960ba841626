package dev.keelson.admission.policy;

import dev.keelson.api.Verb;
import dev.keelson.cel.admission.MatchConditions.Verdict;

/** Counts the checks of policies for metrics. Safe for use by several threads. */
public interface PolicyObserver {

  /** Counts nothing. */
  PolicyObserver NONE =
      new PolicyObserver() {
        @Override
        public void observe(Check check) {
          // is not counted
        }

        @Override
        public void observe(Conditions evaluated) {
          // is not counted
        }
      };

  /** The kinds of policies. */
  enum Plugin {
    VALIDATING,
    MUTATING
  }

  /**
   * A check.
   *
   * @param error {@code no_error}, {@code compile_error}, {@code out_of_budget} or {@code
   *     invalid_error}
   * @param action {@code allow}, {@code deny}, {@code audit} or {@code warn}
   */
  record Check(
      Plugin plugin, String policy, String binding, String error, String action, long nanos) {}

  /** A check was made. */
  void observe(Check check);

  /**
   * An evaluation of the match conditions of a policy that has some.
   *
   * @param nanos how long it took
   */
  record Conditions(String policy, Verb operation, Verdict verdict, long nanos) {}

  /** Match conditions were evaluated. */
  void observe(Conditions evaluated);
}
