package dev.keelson.registry.write;

import dev.keelson.registry.StoredObject;

/**
 * The result of a create or replace.
 *
 * @param object the object as it now is
 * @param created whether it did not exist before
 */
public record Written(StoredObject object, boolean created) {}
