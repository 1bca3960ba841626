/** Limits on requests in flight. Begin with {@link dev.keelson.flow.InFlightLimiter}. */
@NullMarked
package dev.keelson.flow;

import org.jspecify.annotations.NullMarked;
