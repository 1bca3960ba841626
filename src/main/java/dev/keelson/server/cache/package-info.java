/**
 * What this process derives from the watch cache: reflectors that follow a few types, the
 * namespaces a user may see, and which types the cache holds at all. Begin with {@link
 * dev.keelson.server.cache.Reflectors}.
 */
@NullMarked
package dev.keelson.server.cache;

import org.jspecify.annotations.NullMarked;
