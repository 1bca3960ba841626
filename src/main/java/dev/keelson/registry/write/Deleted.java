package dev.keelson.registry.write;

import dev.keelson.registry.StoredObject;

/**
 * The result of a delete.
 *
 * @param object the last state of the object, or its current state if it still exists
 * @param gone whether it was removed; false while finalizers or a grace period delay it
 */
public record Deleted(StoredObject object, boolean gone) {}
