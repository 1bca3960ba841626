package dev.keelson.admission.plugin.pod;

import dev.keelson.api.Names;
import java.util.LinkedHashMap;
import java.util.Map;

/** Node selectors as annotations and files write them: {@code key=value,other=value}. */
final class NodeSelectors {

  private NodeSelectors() {}

  /**
   * Reads a selector; a blank one selects everything.
   *
   * @throws IllegalArgumentException if it is none
   */
  static Map<String, String> parse(String text) {
    Map<String, String> labels = new LinkedHashMap<>();
    if (text.isEmpty()) {
      return labels;
    }
    for (String pair : text.split(",", -1)) {
      String[] parts = pair.split("=", -1);
      if (parts.length != 2) {
        throw new IllegalArgumentException("invalid selector: " + pair);
      }
      String key = parts[0].strip();
      String problem = Names.qualifiedName(key);
      if (!problem.isEmpty()) {
        throw new IllegalArgumentException(problem);
      }
      labels.put(key, parts[1].strip());
    }
    return labels;
  }

  /** Whether both select a value of the same label, and not the same one. */
  static boolean conflict(Map<String, String> one, Map<String, String> other) {
    return one.entrySet().stream()
        .anyMatch(
            entry ->
                other.containsKey(entry.getKey())
                    && !entry.getValue().equals(other.get(entry.getKey())));
  }
}
