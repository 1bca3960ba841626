/**
 * Limits on mutating and non-mutating requests in flight; a request above a limit is rejected,
 * never queued. Begin with {@link dev.keelson.flow.InFlightLimiter}; the packages below queue
 * requests fairly.
 */
@NullMarked
package dev.keelson.flow;

import org.jspecify.annotations.NullMarked;
