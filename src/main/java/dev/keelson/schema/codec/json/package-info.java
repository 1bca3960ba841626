/**
 * JSON in UTF-8: Jackson's tokens, output in the form of Go's {@code encoding/json}, and readers
 * that look at compact JSON without making a tree. Knows no schema. Begin with {@link
 * dev.keelson.schema.codec.json.JsonTokens} and {@link dev.keelson.schema.codec.json.JsonOutput}.
 */
@NullMarked
package dev.keelson.schema.codec.json;

import org.jspecify.annotations.NullMarked;
