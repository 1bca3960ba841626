package dev.keelson.storage;

import java.util.List;

/**
 * The state of a whole store at one revision, read once in the order of keys: the source of backups
 * and copies. Used by one thread.
 */
public interface Snapshot extends AutoCloseable {

  /**
   * A key of the snapshot.
   *
   * @param entry the key, its value and its revisions
   * @param expiresMillis when its lease ends, in milliseconds since 1970; {@link #NEVER} without a
   *     lease
   */
  record Item(Entry entry, long expiresMillis) {

    /** As {@code expiresMillis}: the key has no lease. */
    public static final long NEVER = 0;

    /** The bytes of key and value. */
    public int bytes() {
      return entry.key().length() + entry.value().length();
    }
  }

  /** The revision of the snapshot: the store's newest when it was taken. */
  long revision();

  /** How many items the snapshot has. */
  long count();

  /**
   * The next items; empty after the last one.
   *
   * @throws StorageException.Compacted if the store compacted the revision in the meantime
   * @throws StorageException.Unavailable if the store gave no answer, or is damaged
   */
  List<Item> next();

  /** Releases the store; may be called twice. */
  @Override
  void close();
}
