package dev.keelson.admission.podsecurity;

import java.util.Collection;
import java.util.List;

/** The parts of the messages of checks. */
final class Phrases {

  private Phrases() {}

  static String plural(int count, String one, String several) {
    return count == 1 ? one : several;
  }

  /** For example {@code "a", "b"}. */
  static String quoted(Collection<String> items) {
    return "\"" + String.join("\", \"", items) + "\"";
  }

  /** For example {@code containers "a", "b"}. */
  static String containers(Collection<String> names) {
    return plural(names.size(), "container", "containers") + " " + quoted(names);
  }

  /**
   * The securityContexts that set something, for example {@code pod and container "a"}; empty if
   * there are none.
   */
  static String setters(boolean pod, List<String> containers) {
    if (containers.isEmpty()) {
      return pod ? "pod" : "";
    }
    return (pod ? "pod and " : "") + containers(containers);
  }
}
