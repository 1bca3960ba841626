/**
 * Start, reload and shutdown of the process: the order of parts, graceful shutdown, and reloaded
 * files. Begin with {@link dev.keelson.server.lifecycle.GracefulShutdown}.
 */
@NullMarked
package dev.keelson.server.lifecycle;

import org.jspecify.annotations.NullMarked;
