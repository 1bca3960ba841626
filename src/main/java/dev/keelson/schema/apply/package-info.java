/**
 * Field ownership (KEP-555): sets of fields, their extraction and comparison, and the effect of
 * updates and applied configurations on objects and their managers. Works on trees and schemas,
 * without store or requests; begin with {@link dev.keelson.schema.apply.Ownership}.
 */
@NullMarked
package dev.keelson.schema.apply;

import org.jspecify.annotations.NullMarked;
