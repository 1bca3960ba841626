package dev.keelson.model;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The broken rules. Safe for use by several threads. */
public final class Violations {

  private final List<String> found = new CopyOnWriteArrayList<>();

  /** Notes a state that must not be. */
  @FormatMethod
  void check(boolean kept, @FormatString String rule, Object... values) {
    if (!kept) {
      found.add(rule.formatted(values));
    }
  }

  /** What was found, in order. */
  public List<String> found() {
    return List.copyOf(found);
  }
}
