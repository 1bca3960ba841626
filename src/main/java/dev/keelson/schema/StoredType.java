package dev.keelson.schema;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.schema.SchemaNode.StructSchema;

/**
 * What the store holds for a resource; every version (and old group) of the resource shares it.
 *
 * @param keyPrefix the part of the key between the root and the namespace or name, for example
 *     {@code services/specs}
 * @param kind the version in which objects are stored
 * @param schema the shape of {@code kind}
 */
public record StoredType(String keyPrefix, GroupVersionKind kind, StructSchema schema) {}
