package dev.keelson.storage;

/**
 * A key with its value as of some revision.
 *
 * @param key the key
 * @param value the value
 * @param createRevision the revision that created the key (since its last deletion)
 * @param modRevision the revision of the last write to the key
 */
public record Entry(Bytes key, Bytes value, long createRevision, long modRevision) {}
