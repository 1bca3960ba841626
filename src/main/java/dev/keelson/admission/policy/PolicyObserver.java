package dev.keelson.admission.policy;

/** Counts the checks of policies for metrics. Safe for use by several threads. */
@FunctionalInterface
public interface PolicyObserver {

  /** Counts nothing. */
  PolicyObserver NONE = check -> {};

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
}
