package dev.keelson.storage;

import org.jspecify.annotations.Nullable;

/**
 * The result of reading one key.
 *
 * @param entry the entry, or null if the key does not exist at that revision
 * @param revision the store's revision when it answered; at least {@code entry.modRevision()}
 */
public record Read(@Nullable Entry entry, long revision) {}
