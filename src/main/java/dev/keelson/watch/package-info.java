/**
 * The state and the recent history of every type in memory, fed by one ordered stream of the
 * store's changes, and the watchers of it. Knows entries and revisions; what the bytes mean is for
 * the readers. Begin with {@link dev.keelson.watch.WatchCache} and {@link
 * dev.keelson.watch.TypeCache}.
 */
@NullMarked
package dev.keelson.watch;

import org.jspecify.annotations.NullMarked;
