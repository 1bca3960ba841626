/**
 * Opens the store that the flags choose and wraps it: call durations, the revision of the last
 * write to some keys, compaction, and the store's health check. Knows keys and types but no
 * objects. Begin with {@link dev.keelson.server.store.Stores}.
 */
@NullMarked
package dev.keelson.server.store;

import org.jspecify.annotations.NullMarked;
