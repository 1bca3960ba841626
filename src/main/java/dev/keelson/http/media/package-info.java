/**
 * Encoding and decoding of HTTP bodies: content negotiation, decoding of request bodies, encoding
 * of objects, lists, watches and Status. Begin with {@link dev.keelson.http.media.Negotiation}.
 */
@NullMarked
package dev.keelson.http.media;

import org.jspecify.annotations.NullMarked;
