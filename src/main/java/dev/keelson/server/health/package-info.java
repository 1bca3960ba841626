/**
 * Health checks, gauges and the version of this build, in the terms of {@code http.health}. Begin
 * with {@link dev.keelson.server.health.BuildInfo}.
 */
@NullMarked
package dev.keelson.server.health;

import org.jspecify.annotations.NullMarked;
