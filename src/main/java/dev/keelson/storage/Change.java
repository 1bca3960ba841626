package dev.keelson.storage;

import org.jspecify.annotations.Nullable;

/** One change of one key, as delivered by a feed. */
public sealed interface Change {

  /** The key that changed. */
  Bytes key();

  /** The revision of the change. */
  long revision();

  /** The entry before the change; null if the key was new, or if the history no longer holds it. */
  @Nullable Entry previous();

  /** The key has a new value. */
  record Put(Entry entry, @Nullable Entry previous) implements Change {
    @Override
    public Bytes key() {
      return entry.key();
    }

    @Override
    public long revision() {
      return entry.modRevision();
    }
  }

  /** The key was deleted, or its lease expired. */
  record Delete(Bytes key, long revision, @Nullable Entry previous) implements Change {}
}
