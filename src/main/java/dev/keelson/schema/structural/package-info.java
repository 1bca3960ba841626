/**
 * What a structural schema does to the values of custom objects: their normal form, what is pruned
 * and what is filled in. Knows trees and schemas, no format, no request and no store. Begin with
 * {@link dev.keelson.schema.structural.Pruning}.
 */
@NullMarked
package dev.keelson.schema.structural;

import org.jspecify.annotations.NullMarked;
