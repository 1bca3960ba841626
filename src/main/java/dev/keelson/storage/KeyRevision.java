package dev.keelson.storage;

/**
 * A revision at which one key changed.
 *
 * @param revision the revision of the change; positive
 * @param createRevision the revision that created the key, since its last deletion; 0 if the change
 *     deleted it
 */
public record KeyRevision(long revision, long createRevision) {

  /** Whether the change deleted the key, or its lease expired. */
  public boolean isDeletion() {
    return createRevision == 0;
  }
}
