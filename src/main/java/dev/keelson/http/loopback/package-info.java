/**
 * Requests of this process to itself: they pass the filter chain as those of any other client, but
 * without a connection. Begin with {@link dev.keelson.http.loopback.LoopbackTransport}.
 */
@NullMarked
package dev.keelson.http.loopback;

import org.jspecify.annotations.NullMarked;
