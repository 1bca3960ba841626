/**
 * Structural schemas of the API's types, and the catalog of served resources. Plain data; the
 * sub-packages build schemas and process them. Begin with {@link
 * dev.keelson.schema.SchemaNode.StructSchema} and {@link dev.keelson.schema.ResourceDefinition}.
 */
@NullMarked
package dev.keelson.schema;

import org.jspecify.annotations.NullMarked;
