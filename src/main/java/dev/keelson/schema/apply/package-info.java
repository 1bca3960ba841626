/**
 * Who owns which field (KEP-555): sets of fields, how they are taken from objects and compared, and
 * what an update or an applied configuration does to an object and to the sets of its managers.
 * Knows trees and their schema, neither the store nor requests; begin with {@link
 * dev.keelson.schema.apply.Ownership}.
 */
@NullMarked
package dev.keelson.schema.apply;

import org.jspecify.annotations.NullMarked;
