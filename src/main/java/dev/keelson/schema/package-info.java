/**
 * What the types of the API look like: structural schemas, and the catalog of resources that are
 * served with them. The sub-packages build schemas and work on them; this package is plain data.
 * Begin with {@link dev.keelson.schema.SchemaNode.StructSchema} and {@link
 * dev.keelson.schema.ResourceDefinition}.
 */
@NullMarked
package dev.keelson.schema;

import org.jspecify.annotations.NullMarked;
