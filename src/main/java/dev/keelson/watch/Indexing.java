package dev.keelson.watch;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which indexes a type is worth. Safe for use by several threads. */
final class Indexing {

  /** Below this, looking at every object costs less than keeping an index right. */
  private static final int FEWEST_OBJECTS = 256;

  /** Every change costs something for every index. */
  private static final int MOST_INDEXES = 8;

  private static final int MOST_CANDIDATES = 64;

  private enum Stage {
    ASKED_ONCE,
    BEING_MADE,
    MADE
  }

  /** In the order in which they were last looked for. */
  private final Map<Index, Stage> known = new LinkedHashMap<>(16, 0.75f, true);

  /** Whether the caller is to make {@code index} now, and to tell when it has. */
  synchronized boolean wants(Index index, TypeState state) {
    Stage stage = known.get(index);
    if (stage == Stage.BEING_MADE || stage == Stage.MADE) {
      return false;
    }
    if (state.objects().size() < FEWEST_OBJECTS) {
      return false;
    }
    known.put(index, stage == null ? Stage.ASKED_ONCE : Stage.BEING_MADE);
    if (stage == null && known.size() > MOST_CANDIDATES) {
      oldest(Stage.ASKED_ONCE);
    }
    return stage != null;
  }

  /** Notes that {@code index} is there; returns the one to drop for it, or null. */
  synchronized @Nullable Index made(Index index) {
    known.put(index, Stage.MADE);
    long count = known.values().stream().filter(stage -> stage == Stage.MADE).count();
    return count > MOST_INDEXES ? oldest(Stage.MADE) : null;
  }

  /** Notes that {@code index} could not be made. */
  synchronized void forget(Index index) {
    known.remove(index);
  }

  /** Notes that all indexes are gone. */
  synchronized void forget() {
    known.clear();
  }

  /** Takes out the one that was looked for the longest time ago. */
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
