/**
 * The keys of objects in the store, and the resolution of writes of unknown outcome. Knows keys and
 * bytes, and stored types by their key prefix; the registry encodes the bytes. Begin with {@link
 * dev.keelson.storage.object.ObjectStore}.
 */
@NullMarked
package dev.keelson.storage.object;

import org.jspecify.annotations.NullMarked;
