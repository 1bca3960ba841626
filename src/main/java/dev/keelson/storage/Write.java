package dev.keelson.storage;

import org.jspecify.annotations.Nullable;

/** One conditional change of one key. */
public sealed interface Write {

  /** The key to change. */
  Bytes key();

  /**
   * The revision that the key must have for the write to happen: its modRevision, or {@link
   * #ABSENT} if the key must not exist.
   */
  long expectedRevision();

  /** The expected revision of a key that must not exist. */
  long ABSENT = 0;

  /**
   * Stores {@code value}. With a lease other than 0, the store removes the key when the lease ends.
   *
   * @param guard what else must hold for the put to happen; null for nothing
   */
  record Put(Bytes key, Bytes value, long expectedRevision, long lease, @Nullable Guard guard)
      implements Write {

    /** A put without a guard. */
    public Put(Bytes key, Bytes value, long expectedRevision, long lease) {
      this(key, value, expectedRevision, lease, null);
    }
  }

  /**
   * Another key that must be as it was.
   *
   * @param revision the modRevision of the key, or {@link #ABSENT} if it must not exist
   */
  record Guard(Bytes key, long revision) {}

  /** Removes the key, which must exist. */
  record Delete(Bytes key, long expectedRevision) implements Write {}

  /** A put without a lease. */
  static Put put(Bytes key, Bytes value, long expectedRevision) {
    return new Put(key, value, expectedRevision, 0);
  }

  /** A delete. */
  static Delete delete(Bytes key, long expectedRevision) {
    return new Delete(key, expectedRevision);
  }
}
