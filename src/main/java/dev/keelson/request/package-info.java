/**
 * The request info, the user and the context of a request: plain values without framework types,
 * which every layer may use. Begin with {@link dev.keelson.request.RequestInfoResolver}.
 */
@NullMarked
package dev.keelson.request;

import org.jspecify.annotations.NullMarked;
