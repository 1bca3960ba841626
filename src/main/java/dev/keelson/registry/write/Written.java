package dev.keelson.registry.write;

import dev.keelson.registry.StoredObject;

/**
 * The result of a create or replace.
 *
 * @param object the object after the write
 * @param created whether the write created it
 */
public record Written(StoredObject object, boolean created) {}
