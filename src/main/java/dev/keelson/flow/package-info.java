/**
 * How many requests may be under way at once. Begin with {@link dev.keelson.flow.InFlightLimiter}.
 */
@NullMarked
package dev.keelson.flow;

import org.jspecify.annotations.NullMarked;
