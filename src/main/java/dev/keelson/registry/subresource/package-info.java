/**
 * Subresources that do more than expose a part of the object: scale, binding, eviction, rollback.
 * Begin with {@link dev.keelson.registry.subresource.Subresources}.
 */
@NullMarked
package dev.keelson.registry.subresource;

import org.jspecify.annotations.NullMarked;
