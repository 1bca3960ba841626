/**
 * Puts the server together: flags, certificates, store, request handling, the order of start and
 * stop, and the edge to Quarkus. The only package that names implementations, prints and ends the
 * process; begin with {@link dev.keelson.server.Main} and {@link dev.keelson.server.KeelsonServer}.
 */
@NullMarked
package dev.keelson.server;

import org.jspecify.annotations.NullMarked;
