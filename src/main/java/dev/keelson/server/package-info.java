/**
 * The entry point and the composition of the server: one CDI module per layer, the order of start
 * and stop, and the integration with Quarkus. The only package that selects implementations, prints
 * and exits the process. Begin with {@link dev.keelson.server.Main} and {@link
 * dev.keelson.server.KeelsonServer}.
 */
@NullMarked
package dev.keelson.server;

import org.jspecify.annotations.NullMarked;
