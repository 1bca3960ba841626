package dev.keelson.storage;

import java.util.List;

/**
 * A part of a range in the order of keys.
 *
 * @param entries the entries
 * @param more whether the range holds entries after the last one of this page
 * @param count how many entries the whole range holds at that revision, this page and those after
 *     it
 * @param revision the revision of the page: the requested one, or the store's newest. Read the
 *     following pages at this revision
 */
public record Page(List<Entry> entries, boolean more, long count, long revision) {
  public Page {
    entries = List.copyOf(entries);
  }
}
