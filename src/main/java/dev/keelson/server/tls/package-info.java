/**
 * The serving certificate and the client certificates of TLS connections: which files they come
 * from, and which key a host name gets. Begin with {@link dev.keelson.server.tls.ServingKey}.
 */
@NullMarked
package dev.keelson.server.tls;

import org.jspecify.annotations.NullMarked;
