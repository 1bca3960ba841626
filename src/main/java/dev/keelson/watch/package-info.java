/**
 * The watch cache: the newest state, the recent history and the watchers of every type, fed by one
 * ordered feed of the store. Values are opaque bytes. Begin with {@link
 * dev.keelson.watch.WatchCache} and {@link dev.keelson.watch.Cacher}.
 */
@NullMarked
package dev.keelson.watch;

import org.jspecify.annotations.NullMarked;
