/**
 * Reflectors of the watch cache, the source of visible namespaces, and the selection of cached
 * types. Begin with {@link dev.keelson.server.cache.Reflectors}.
 */
@NullMarked
package dev.keelson.server.cache;

import org.jspecify.annotations.NullMarked;
