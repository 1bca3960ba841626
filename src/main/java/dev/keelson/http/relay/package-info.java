/**
 * Passes a client's request on to another server, and the response back: plain requests, and
 * connections that change the protocol. Bytes pass as they come, no faster than the other side
 * takes them. Knows connections and headers; which server, and who may ask it, is decided by {@code
 * http.aggregation} and {@code http.node}. Begin with {@link dev.keelson.http.relay.ClientRequest}.
 */
@NullMarked
package dev.keelson.http.relay;

import org.jspecify.annotations.NullMarked;
