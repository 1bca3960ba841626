/** Versions of one kind into each other. */
@NullMarked
package dev.keelson.schema.conversion;

import org.jspecify.annotations.NullMarked;
