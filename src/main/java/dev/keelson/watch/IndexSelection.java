package dev.keelson.watch;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Selects the indexes of a type by the number of lookups. By hand and not on Caffeine, since what
 * is evicted depends on the stage, and the caller must drop it. Safe for use by several threads.
 */
final class IndexSelection {

  /** Minimum number of objects; below it, a scan is cheaper than maintaining an index. */
  private static final int FEWEST_OBJECTS = 256;

  /** Maximum number of indexes, which every change updates. */
  private static final int MOST_INDEXES = 8;

  private static final int MOST_CANDIDATES = 64;

  private enum Stage {
    CANDIDATE,
    BUILDING,
    BUILT
  }

  /** In the order of the last lookups. */
  private final Map<Index, Stage> known = new LinkedHashMap<>(16, 0.75f, true);

  /** Whether the caller must build {@code index} now and call {@link #built} afterwards. */
  synchronized boolean wants(Index index, CacheState state) {
    Stage stage = known.get(index);
    if (stage == Stage.BUILDING || stage == Stage.BUILT) {
      return false;
    }
    if (state.objects().size() < FEWEST_OBJECTS) {
      return false;
    }
    known.put(index, stage == null ? Stage.CANDIDATE : Stage.BUILDING);
    if (stage == null && known.size() > MOST_CANDIDATES) {
      oldest(Stage.CANDIDATE);
    }
    return stage != null;
  }

  /** Records that {@code index} is built; returns the index to drop, or null. */
  synchronized @Nullable Index built(Index index) {
    known.put(index, Stage.BUILT);
    long count = known.values().stream().filter(stage -> stage == Stage.BUILT).count();
    return count > MOST_INDEXES ? oldest(Stage.BUILT) : null;
  }

  /** Records that {@code index} could not be built. */
  synchronized void remove(Index index) {
    known.remove(index);
  }

  /** Records that all indexes were dropped. */
  synchronized void clear() {
    known.clear();
  }

  /** Removes the least recently used index of a stage. */
  private @Nullable Index oldest(Stage stage) {
    for (Map.Entry<Index, Stage> entry : known.entrySet()) {
      if (entry.getValue() == stage) {
        Index index = entry.getKey();
        known.remove(index);
        return index;
      }
    }
    return null;
  }
}
