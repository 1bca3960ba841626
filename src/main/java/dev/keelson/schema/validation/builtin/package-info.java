/**
 * Combines the rules of all built-in groups. It is the only package of validation that depends on
 * every group. Begin at {@link dev.keelson.schema.validation.builtin.BuiltInRules}.
 */
@NullMarked
package dev.keelson.schema.validation.builtin;

import org.jspecify.annotations.NullMarked;
