/**
 * What probes and monitors ask: health, version and metrics, as pure functions from path and query
 * to an answer. Knows checks by their interface only; begin with {@link
 * dev.keelson.http.health.HealthEndpoints}.
 */
@NullMarked
package dev.keelson.http.health;

import org.jspecify.annotations.NullMarked;
