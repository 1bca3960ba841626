/**
 * How the process starts, reloads and stops: draining requests, polling the files that flags name,
 * and the error that ends a start. Begin with {@link
 * dev.keelson.server.lifecycle.GracefulShutdown}.
 */
@NullMarked
package dev.keelson.server.lifecycle;

import org.jspecify.annotations.NullMarked;
