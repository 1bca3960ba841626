package dev.keelson.scheduler;

import java.util.List;

/**
 * Whether a pod fits a node.
 *
 * @param reasons why it does not; empty if it does
 * @param forGood whether it would not fit without the other pods either
 */
record Verdict(List<String> reasons, boolean forGood) {

  static final Verdict FITS = new Verdict(List.of(), false);

  Verdict {
    reasons = List.copyOf(reasons);
  }

  /** Does not fit because of other pods. */
  static Verdict occupied(String reason) {
    return new Verdict(List.of(reason), false);
  }

  /** Does not fit, whatever pods there are. */
  static Verdict never(String reason) {
    return new Verdict(List.of(reason), true);
  }

  boolean fits() {
    return reasons.isEmpty();
  }
}
