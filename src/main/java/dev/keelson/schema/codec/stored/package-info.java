/**
 * Objects as the store holds them: encoding and decoding, and everything that is made of stored
 * bytes without a tree: served JSON, protobuf, selected fields. Knows no HTTP and no store. Begin
 * with {@link dev.keelson.schema.codec.stored.StoredForm} and {@link
 * dev.keelson.schema.codec.stored.Splice}.
 */
@NullMarked
package dev.keelson.schema.codec.stored;

import org.jspecify.annotations.NullMarked;
