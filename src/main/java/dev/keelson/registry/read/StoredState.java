package dev.keelson.registry.read;

import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.Page;
import dev.keelson.storage.RevisionedStore;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The objects of a type in the store, read page by page.
 *
 * @param store the store
 * @param revision the revision that is shown
 */
record StoredState(RevisionedStore store, long revision) implements ObjectState {

  /** How many entries one read asks for: large enough to be quick, small enough to bound memory. */
  private static final int PAGE = 500;

  @Override
  public Iterator<Entry> iterator(KeyRange range) {
    return new Pages(range);
  }

  @Override
  public boolean inMemory() {
    return false;
  }

  @Override
  public long count(KeyRange range) {
    return store.range(range, revision, 1).count();
  }

  /** Reads the next page when the one before is used up. */
  private final class Pages implements Iterator<Entry> {
    private KeyRange rest;
    private Iterator<Entry> page = List.<Entry>of().iterator();
    private boolean more = true;

    Pages(KeyRange range) {
      rest = range;
    }

    @Override
    public boolean hasNext() {
      while (!page.hasNext() && more) {
        Page next = store.range(rest, revision, PAGE);
        page = next.entries().iterator();
        more = next.more() && !next.entries().isEmpty();
        if (more) {
          rest = rest.startingAfter(next.entries().getLast().key());
        }
      }
      return page.hasNext();
    }

    @Override
    public Entry next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return page.next();
    }
  }
}
