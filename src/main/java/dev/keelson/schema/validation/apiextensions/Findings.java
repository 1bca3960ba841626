package dev.keelson.schema.validation.apiextensions;

import dev.keelson.schema.validation.BadValue;
import dev.keelson.schema.validation.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Causes that are reported in the order of their text, as Kubernetes sorts them. */
final class Findings {

  /** Limit for all texts together, in characters; keys of a schema may be long. */
  private static final int MOST_CHARACTERS = 8 << 20;

  private final List<Finding> found = new ArrayList<>();
  private int characters;

  private record Finding(String text, Runnable report) {}

  /** Notes that a value is required, and why. */
  void required(Value place, String detail) {
    add(place, "Required value: " + detail, () -> place.required(detail));
  }

  /** Notes that a value is forbidden, and why. */
  void forbidden(Value place, String detail) {
    add(place, "Forbidden: " + detail, () -> place.forbidden(detail));
  }

  /** Notes that a value is invalid, and why. */
  void invalid(Value place, String detail) {
    add(
        place,
        "Invalid value: " + BadValue.of(place.node()) + ": " + detail,
        () -> place.invalid(detail));
  }

  private void add(Value place, String message, Runnable report) {
    if (characters < MOST_CHARACTERS) {
      String text = place.path() + ": " + message;
      characters += text.length();
      found.add(new Finding(text, report));
    }
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  /** Reports all in the order of their texts. */
  void report() {
    found.sort(Comparator.comparing(Finding::text));
    found.forEach(finding -> finding.report().run());
  }
}
