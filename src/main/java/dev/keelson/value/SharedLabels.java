package dev.keelson.value;

import java.util.Map;

/**
 * One instance of equal maps of labels or annotations: the pods of a workload, its template and
 * what several readers of an object keep have the same ones. Maps that are large are not shared, so
 * that the memory is bounded. Safe for use by several threads.
 */
public final class SharedLabels {

  private static final int MOST = 8;
  private static final int LONGEST = 64;
  private static final SharedInstances<Map<String, String>> RECENT = new SharedInstances<>();

  private SharedLabels() {}

  /** An immutable map with the same entries, mostly the same instance for equal maps. */
  public static Map<String, String> of(Map<String, String> labels) {
    if (labels.isEmpty()) {
      return Map.of();
    }
    Map<String, String> kept = Map.copyOf(labels);
    return isSmall(kept) ? RECENT.of(kept) : kept;
  }

  private static boolean isSmall(Map<String, String> labels) {
    if (labels.size() > MOST) {
      return false;
    }
    // the view of the values would be kept with the map
    for (Map.Entry<String, String> label : labels.entrySet()) {
      if (label.getValue().length() > LONGEST) {
        return false;
      }
    }
    return true;
  }
}
