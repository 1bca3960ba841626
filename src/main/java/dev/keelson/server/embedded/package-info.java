/**
 * What only a server inside a test has: a clock that can be moved, faults on demand, manifests that
 * are applied without a client. {@link dev.keelson.server.EmbeddedServer} alone installs them; the
 * server that {@code Main} starts cannot reach them.
 */
@NullMarked
package dev.keelson.server.embedded;

import org.jspecify.annotations.NullMarked;
