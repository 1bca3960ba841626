/**
 * The newest state and the recent history of every type in memory, fed by one ordered stream of the
 * store's changes, and the watchers. Knows entries and revisions, not what the bytes mean. Begin
 * with {@link dev.keelson.watch.WatchCache} and {@link dev.keelson.watch.Cacher}.
 */
@NullMarked
package dev.keelson.watch;

import org.jspecify.annotations.NullMarked;
