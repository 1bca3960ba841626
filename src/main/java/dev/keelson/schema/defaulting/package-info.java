/**
 * Sets defaults. Constant values are declared in the schema as {@code default}; those that depend
 * on other fields are rules of a struct, so that a pod template has them wherever it occurs. Begin
 * with {@link dev.keelson.schema.defaulting.SchemaDefaults}.
 */
@NullMarked
package dev.keelson.schema.defaulting;

import org.jspecify.annotations.NullMarked;
