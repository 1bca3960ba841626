package dev.keelson.server.tool;

import dev.keelson.storage.SnapshotTarget;
import org.jspecify.annotations.Nullable;

/**
 * A store to be filled, and what it held before.
 *
 * @param target the store
 * @param revision its newest revision before
 * @param keys how many keys it holds
 * @param kept the name of what is replaced; null if it cannot be replaced
 */
record Target(SnapshotTarget target, long revision, long keys, @Nullable String kept)
    implements AutoCloseable {

  /** Whether what it holds can be kept under another name. */
  boolean replaceable() {
    return kept != null;
  }

  @Override
  public void close() {
    target.close();
  }
}
