/**
 * Patch documents and what they make of an object, as functions on trees: JSON Patch, JSON Merge
 * Patch and the strategic merge patch that the schema's merge keys steer. Knows no bytes, no HTTP
 * and no store; what a patch makes has still to be typed by the schema. Begin with {@link
 * dev.keelson.schema.patch.Patch}.
 */
@NullMarked
package dev.keelson.schema.patch;

import org.jspecify.annotations.NullMarked;
