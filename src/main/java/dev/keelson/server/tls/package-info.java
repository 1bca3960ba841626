/**
 * The serving certificate and the client certificates of TLS connections: their files, and the key
 * for each host name. Begin with {@link dev.keelson.server.tls.ServingKey}.
 */
@NullMarked
package dev.keelson.server.tls;

import org.jspecify.annotations.NullMarked;
