/**
 * Puts the rules of all built-in groups together. It is the one room of validation that knows every
 * group. Begin at {@link dev.keelson.schema.validation.builtin.BuiltInRules}.
 */
@NullMarked
package dev.keelson.schema.validation.builtin;

import org.jspecify.annotations.NullMarked;
