package dev.keelson.watch;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a type and their indexes. Immutable; an edit shares all but a few nodes with the
 * previous state.
 *
 * @param objects by their keys
 * @param indexes the objects by value and key, for each index
 */
record CacheState(SnapshotTree objects, Map<Index, SnapshotTree> indexes) {

  static final CacheState EMPTY = of(SnapshotTree.EMPTY);

  /** A state without indexes. */
  static CacheState of(SnapshotTree objects) {
    return new CacheState(objects, Map.of());
  }

  /**
   * Applies a change.
   *
   * @param before the object in this state, or null
   * @param after the new object, or null; at least one is not null
   */
  CacheState changed(@Nullable Entry before, @Nullable Entry after) {
    SnapshotTree next = objects;
    if (after != null) {
      next = objects.with(after);
    } else if (before != null) {
      next = objects.without(before.key());
    }
    if (indexes.isEmpty()) {
      return of(next);
    }
    Map<Index, SnapshotTree> all = HashMap.newHashMap(indexes.size());
    indexes.forEach((index, tree) -> all.put(index, changed(index, tree, before, after)));
    return new CacheState(next, Map.copyOf(all));
  }

  private static SnapshotTree changed(
      Index index, SnapshotTree tree, @Nullable Entry before, @Nullable Entry after) {
    String old = index.valueOf(before);
    String now = index.valueOf(after);
    SnapshotTree next = tree;
    if (before != null && old != null && !old.equals(now)) {
      next = next.without(Index.key(old, before.key()));
    }
    return after != null && now != null
        ? next.with(entry(Index.key(now, after.key()), after))
        : next;
  }

  /** Returns this state with an additional index, built from the objects. */
  CacheState with(Index index) {
    List<Entry> entries = entries(index);
    entries.sort((left, right) -> left.key().compareTo(right.key()));
    Map<Index, SnapshotTree> all = new HashMap<>(indexes);
    all.put(index, SnapshotTree.ofSorted(entries));
    return new CacheState(objects, Map.copyOf(all));
  }

  /** The entries of an index, in no order; their keys share one array. */
  private List<Entry> entries(Index index) {
    List<Entry> found = new ArrayList<>();
    List<Bytes> keys = new ArrayList<>();
    int length = 0;
    for (Iterator<Entry> all = objects.all(); all.hasNext(); ) {
      Entry entry = all.next();
      String value = index.valueOf(entry);
      if (value != null) {
        Bytes key = Index.key(value, entry.key());
        length = Math.addExact(length, key.length());
        keys.add(key);
        found.add(entry);
      }
    }
    byte[] shared = new byte[length];
    int at = 0;
    for (int i = 0; i < keys.size(); i++) {
      Bytes key = keys.get(i);
      System.arraycopy(key.backing(), key.offset(), shared, at, key.length());
      Bytes there = Bytes.wrap(shared, at, key.length());
      at += key.length();
      found.set(i, entry(there, found.get(i)));
    }
    return found;
  }

  /** Returns this state without an index. */
  CacheState without(Index index) {
    Map<Index, SnapshotTree> rest = new HashMap<>(indexes);
    rest.remove(index);
    return new CacheState(objects, Map.copyOf(rest));
  }

  private static Entry entry(Bytes key, Entry entry) {
    return new Entry(key, entry.value(), entry.createRevision(), entry.modRevision());
  }
}
