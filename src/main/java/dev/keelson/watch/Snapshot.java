package dev.keelson.watch;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * All objects of a type as of one revision. Immutable; holding one keeps the bytes of its objects
 * in memory.
 */
public final class Snapshot {

  private final long revision;
  private final SnapshotTree tree;

  Snapshot(long revision, SnapshotTree tree) {
    this.revision = revision;
    this.tree = tree;
  }

  /** The revision that it shows: every change up to here is in it, and none after. */
  public long revision() {
    return revision;
  }

  /** The object of {@code key}, or null. */
  public @Nullable Entry get(Bytes key) {
    return tree.get(key);
  }

  /** How many objects {@code range} has; costs no more than a look-up. */
  public int count(KeyRange range) {
    return tree.count(range);
  }

  /** The objects of {@code range} in the order of their keys, read as the iterator goes. */
  public Iterator<Entry> iterator(KeyRange range) {
    SnapshotTree.Cursor cursor = tree.cursor(range);
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return cursor.hasNext();
      }

      @Override
      public Entry next() throws NoSuchElementException {
        return cursor.next();
      }
    };
  }

  SnapshotTree tree() {
    return tree;
  }
}
