/**
 * Health, version and metrics, as functions from path and query to a response. Begin with {@link
 * dev.keelson.http.health.HealthEndpoints}.
 */
@NullMarked
package dev.keelson.http.health;

import org.jspecify.annotations.NullMarked;
