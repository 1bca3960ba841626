/**
 * A checker of everything that reads: clients at random under faults, and a proof afterwards that
 * what they saw is one history.
 */
@NullMarked
package dev.keelson.soak;

import org.jspecify.annotations.NullMarked;
