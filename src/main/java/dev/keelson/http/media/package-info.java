/**
 * Between objects and the bytes of a request or an answer: negotiation, reading bodies, writing
 * objects, lists and Status. Begin with {@link dev.keelson.http.media.Negotiation}.
 */
@NullMarked
package dev.keelson.http.media;

import org.jspecify.annotations.NullMarked;
