/**
 * What the controllers that otherwise follow the store of their server need where they are clients
 * of an API server: a catalog made of discovery, and feeds made of informers. Knows nothing of
 * stores. Begin at {@link dev.keelson.controller.discovery.ServedTypes}.
 */
@NullMarked
package dev.keelson.controller.discovery;

import org.jspecify.annotations.NullMarked;
