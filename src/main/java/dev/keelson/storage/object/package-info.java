/**
 * Where objects stand in the store and how writes of unknown outcome are settled. Knows keys and
 * bytes, and stored types by their key prefix; what the bytes mean is the registry's business.
 * Begin with {@link dev.keelson.storage.object.ObjectStore}.
 */
@NullMarked
package dev.keelson.storage.object;

import org.jspecify.annotations.NullMarked;
