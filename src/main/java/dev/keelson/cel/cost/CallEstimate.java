package dev.keelson.cel.cost;

import org.jspecify.annotations.Nullable;

/**
 * The cost of a call.
 *
 * @param cost without its arguments
 * @param size the size of the result; null if it is not known
 */
record CallEstimate(Range cost, @Nullable Range size) {

  CallEstimate(Range cost) {
    this(cost, null);
  }
}
