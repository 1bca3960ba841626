/**
 * What a person sees of an object in a list: the columns of each kind and how its cells are made
 * from the stored tree (contract, "Table representation"). It knows no media types and no HTTP.
 * Begin with {@link dev.keelson.schema.table.Tables}.
 */
@NullMarked
package dev.keelson.schema.table;

import org.jspecify.annotations.NullMarked;
