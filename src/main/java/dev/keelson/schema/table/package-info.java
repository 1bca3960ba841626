/**
 * The tables of kinds: their columns, and how cells are printed from the stored tree (contract,
 * "Table representation"). It knows no media types and no HTTP. Begin with {@link
 * dev.keelson.schema.table.Tables}.
 */
@NullMarked
package dev.keelson.schema.table;

import org.jspecify.annotations.NullMarked;
