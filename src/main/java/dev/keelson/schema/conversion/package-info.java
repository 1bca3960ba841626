/**
 * Versions of one kind into each other: renaming for most, and one small class for each pair whose
 * fields differ. Knows no resource table and no bytes; JSON that stands inside objects is read
 * through {@link dev.keelson.schema.conversion.ObjectJson}. Begin with {@link
 * dev.keelson.schema.conversion.VersionConverter}.
 */
@NullMarked
package dev.keelson.schema.conversion;

import org.jspecify.annotations.NullMarked;
