package dev.keelson.watch;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import java.util.Iterator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All objects of a type at one revision. Immutable; a reference to it keeps the bytes of its
 * objects in memory.
 */
public final class Snapshot {

  private final long revision;
  private final CacheState state;

  Snapshot(long revision, CacheState state) {
    this.revision = revision;
    this.state = state;
  }

  /** The revision: the snapshot includes every change up to it, and none after. */
  public long revision() {
    return revision;
  }

  /** The object of {@code key}, or null. */
  public @Nullable Entry get(Bytes key) {
    return state.objects().get(key);
  }

  /** The number of objects in {@code range}, in logarithmic time. */
  public int count(KeyRange range) {
    return state.objects().count(range);
  }

  /** The objects of {@code range} in the order of their keys, read lazily. */
  public Iterator<Entry> iterator(KeyRange range) {
    return state.objects().iterator(range);
  }

  /** Whether this state has an index. */
  public boolean has(Index index) {
    return state.indexes().containsKey(index);
  }

  /**
   * The objects of {@code range} that have a value, in the order of their keys; empty if this state
   * does not have the index.
   */
  public Optional<Iterator<Entry>> iterator(IndexValue value, KeyRange range) {
    SnapshotTree tree = state.indexes().get(value.index());
    if (tree == null) {
      return Optional.empty();
    }
    int prefix = Bytes.utf8(value.value()).length() + 1;
    Iterator<Entry> found = tree.iterator(Index.range(value.value(), range));
    return Optional.of(
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return found.hasNext();
          }

          @Override
          public Entry next() {
            Entry entry = found.next();
            Bytes both = entry.key();
            Bytes key = Bytes.wrap(both.backing(), both.offset() + prefix, both.length() - prefix);
            return new Entry(key, entry.value(), entry.createRevision(), entry.modRevision());
          }
        });
  }

  CacheState state() {
    return state;
  }
}
