/**
 * What the formats share: a document as tokens, the reader that types tokens by a structural schema
 * into a tree in canonical order, the rules for empty values, and the errors. Knows no format, no
 * resource, no HTTP and no store. Begin with {@link dev.keelson.schema.codec.tree.TypedReader}.
 */
@NullMarked
package dev.keelson.schema.codec.tree;

import org.jspecify.annotations.NullMarked;
