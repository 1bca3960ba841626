package dev.keelson.watch;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.KeyRange;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The watchers of a type, grouped by the single object or the index value that they select, so that
 * an event is only offered to matching watchers. Guarded by the lock of its cache.
 */
final class Watchers {

  private final Set<CacheWatcher> ofRanges = new LinkedHashSet<>();

  /** The number of watchers of each range, so that no write counts them all. */
  private final Map<KeyRange, Integer> numbers = new HashMap<>();

  private final Map<Bytes, Set<CacheWatcher>> ofObjects = new HashMap<>();
  private final Map<Index, Map<String, Set<CacheWatcher>>> ofValues = new HashMap<>();

  void add(CacheWatcher watcher) {
    Bytes key = objectKey(watcher.range());
    IndexValue value = watcher.value();
    if (key != null) {
      ofObjects.computeIfAbsent(key, k -> new LinkedHashSet<>()).add(watcher);
    } else if (value != null) {
      ofValues
          .computeIfAbsent(value.index(), index -> new HashMap<>())
          .computeIfAbsent(value.value(), k -> new LinkedHashSet<>())
          .add(watcher);
    } else {
      if (ofRanges.add(watcher)) {
        numbers.merge(watcher.range(), 1, Integer::sum);
      }
    }
  }

  void remove(CacheWatcher watcher) {
    Bytes key = objectKey(watcher.range());
    IndexValue value = watcher.value();
    if (key != null) {
      remove(ofObjects, key, watcher);
    } else if (value != null) {
      Map<String, Set<CacheWatcher>> byValue = ofValues.get(value.index());
      if (byValue != null) {
        remove(byValue, value.value(), watcher);
        if (byValue.isEmpty()) {
          ofValues.remove(value.index());
        }
      }
    } else if (ofRanges.remove(watcher)) {
      numbers.computeIfPresent(watcher.range(), (range, number) -> number == 1 ? null : number - 1);
    }
  }

  private static <K> void remove(Map<K, Set<CacheWatcher>> all, K key, CacheWatcher watcher) {
    Set<CacheWatcher> same = all.get(key);
    if (same != null) {
      same.remove(watcher);
      if (same.isEmpty()) {
        all.remove(key);
      }
    }
  }

  /** The key of a watch of one object; null for a wider range. */
  private static @Nullable Bytes objectKey(KeyRange range) {
    return range.equals(KeyRange.single(range.start())) ? range.start() : null;
  }

  /**
   * Offers the newest event of a window to the matching watchers and adds these to {@code awake}.
   */
  void offerNewest(EventWindow window, Set<CacheWatcher> awake) {
    CacheEvent event = window.get(window.size() - 1);
    offer(event, ofRanges, window, awake);
    Set<CacheWatcher> same = ofObjects.get(event.key());
    if (same != null) {
      offer(event, same, window, awake);
    }
    ofValues.forEach((index, byValue) -> offer(event, index, byValue, window, awake));
  }

  /** Offers an event to the watchers of the object's previous or new value. */
  private static void offer(
      CacheEvent event,
      Index index,
      Map<String, Set<CacheWatcher>> byValue,
      EventWindow window,
      Set<CacheWatcher> awake) {
    String before = index.valueOf(event.before());
    String after = index.valueOf(event.after());
    if (before != null) {
      offer(event, byValue.getOrDefault(before, Set.of()), window, awake);
    }
    if (after != null && !after.equals(before)) {
      offer(event, byValue.getOrDefault(after, Set.of()), window, awake);
    }
  }

  private static void offer(
      CacheEvent event, Set<CacheWatcher> watchers, EventWindow window, Set<CacheWatcher> awake) {
    for (CacheWatcher watcher : watchers) {
      if (watcher.range().contains(event.key())) {
        watcher.offer(window, window.size() - 1);
        awake.add(watcher);
      }
    }
  }

  /**
   * The number of watchers of any of {@code ranges} or of one object. Of those with an index, one
   * is counted for each: an object has one value of it.
   */
  int count(Collection<KeyRange> ranges, Bytes key) {
    int count = ofObjects.getOrDefault(key, Set.of()).size() + ofValues.size();
    for (KeyRange range : ranges) {
      count += numbers.getOrDefault(range, 0);
    }
    return count;
  }

  int count() {
    int count = ofRanges.size();
    for (Set<CacheWatcher> some : ofObjects.values()) {
      count += some.size();
    }
    for (Map<String, Set<CacheWatcher>> byValue : ofValues.values()) {
      for (Set<CacheWatcher> some : byValue.values()) {
        count += some.size();
      }
    }
    return count;
  }

  /** Removes and returns all watchers. */
  Set<CacheWatcher> removeAll() {
    Set<CacheWatcher> all = new LinkedHashSet<>(ofRanges);
    ofObjects.values().forEach(all::addAll);
    ofValues.values().forEach(byValue -> byValue.values().forEach(all::addAll));
    ofRanges.clear();
    numbers.clear();
    ofObjects.clear();
    ofValues.clear();
    return all;
  }
}
