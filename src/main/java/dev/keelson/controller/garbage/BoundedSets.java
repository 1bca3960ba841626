package dev.keelson.controller.garbage;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Sets that forget the oldest elements beyond a number. */
final class BoundedSets {

  private BoundedSets() {}

  /** A set of at most {@code most} elements; safe for use by several threads. */
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
