package dev.keelson.registry;

import dev.keelson.object.ApiObject;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.storage.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * An object as the store holds it, to be served in the version of {@code definition}. It is encoded
 * as late as possible, since most representations need no tree.
 *
 * @param definition the version in which it was asked for
 * @param value the stored bytes
 * @param revision its resourceVersion; 0 if it was not stored (dry run)
 * @param tree the object in the stored version without resourceVersion, if it has been decoded
 *     already
 */
public record StoredObject(
    ResourceDefinition definition, Bytes value, long revision, @Nullable ApiObject tree) {}
