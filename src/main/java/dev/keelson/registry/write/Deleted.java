package dev.keelson.registry.write;

import dev.keelson.registry.StoredObject;

/**
 * The result of a delete.
 *
 * @param object the object as it was last, or as it is now if it is still held
 * @param gone whether it is gone; false while finalizers or a grace period hold it
 */
public record Deleted(StoredObject object, boolean gone) {}
