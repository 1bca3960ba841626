/**
 * Bounded caches whose entries expire by the server's clock, on Caffeine. Knows nothing of what is
 * cached. Begin with {@link dev.keelson.cache.ExpiringCache}.
 */
@NullMarked
package dev.keelson.cache;

import org.jspecify.annotations.NullMarked;
