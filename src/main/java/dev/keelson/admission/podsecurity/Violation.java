package dev.keelson.admission.podsecurity;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A violation of one check.
 *
 * @param reason what is forbidden, in a few words
 * @param detail which containers or values violate the check; may be empty
 */
record Violation(String reason, String detail) {

  /** The reasons of several violations, for a message about several pods. */
  static String reasons(List<Violation> all) {
    return all.stream().map(Violation::reason).collect(Collectors.joining(", "));
  }

  /** The reasons with their details, for a message about one pod. */
  static String details(List<Violation> all) {
    return all.stream().map(Violation::text).collect(Collectors.joining(", "));
  }

  private String text() {
    return detail.isEmpty() ? reason : reason + " (" + detail + ")";
  }
}
