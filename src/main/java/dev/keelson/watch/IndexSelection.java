package dev.keelson.watch;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decides which indexes a type has, from the lookups. Safe for use by several threads. */
final class IndexSelection {

  /** Below this, looking at every object costs less than keeping an index right. */
  private static final int FEWEST_OBJECTS = 256;

  /** Every change costs something for every index. */
  private static final int MOST_INDEXES = 8;

  private static final int MOST_CANDIDATES = 64;

  private enum Stage {
    CANDIDATE,
    BUILDING,
    BUILT
  }

  /** In the order of the last lookups. */
  private final Map<Index, Stage> known = new LinkedHashMap<>(16, 0.75f, true);

  /** Whether the caller is to build {@code index} now, and to call {@link #built} afterwards. */
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

  /** Records that {@code index} is built; returns the one to drop for it, or null. */
  synchronized @Nullable Index built(Index index) {
    known.put(index, Stage.BUILT);
    long count = known.values().stream().filter(stage -> stage == Stage.BUILT).count();
    return count > MOST_INDEXES ? oldest(Stage.BUILT) : null;
  }

  /** Records that {@code index} could not be built. */
  synchronized void remove(Index index) {
    known.remove(index);
  }

  /** Records that there is no index any more. */
  synchronized void clear() {
    known.clear();
  }

  /** Removes the index of a stage whose last lookup is the oldest. */
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
