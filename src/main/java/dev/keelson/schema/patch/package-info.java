/**
 * Patch documents as functions on trees: JSON Patch, JSON Merge Patch and the strategic merge patch
 * that the schema's merge keys steer. Knows no bytes, no HTTP and no store; the result must still
 * be decoded by the schema. Begin with {@link dev.keelson.schema.patch.Patch}.
 */
@NullMarked
package dev.keelson.schema.patch;

import org.jspecify.annotations.NullMarked;
