package dev.keelson.controller.garbage;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Creates sets of bounded size that evict the oldest elements. By hand, since the newest elements
 * are those that are looked up: Caffeine may evict a new element before an old one.
 */
final class BoundedSets {

  private BoundedSets() {}

  /** Creates a set of at most {@code most} elements, safe for use by several threads. */
  static <T> Set<T> ofNewest(int most) {
    return Collections.newSetFromMap(
        Collections.synchronizedMap(
            new LinkedHashMap<>() {
              private static final long serialVersionUID = 1L;

              @Override
              protected boolean removeEldestEntry(Map.Entry<T, Boolean> eldest) {
                return size() > most;
              }
            }));
  }
}
