/**
 * The types and values of data in expressions: types made from schemas, and JSON trees as values of
 * CEL without a copy. Knows no expression. Begin with {@link dev.keelson.cel.type.DataType}.
 */
@NullMarked
package dev.keelson.cel.type;

import org.jspecify.annotations.NullMarked;
