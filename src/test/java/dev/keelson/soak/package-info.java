/**
 * A consistency checker: random clients under faults, whose operations must be linearizable and
 * whose observations must be consistent with one recorded history. It begins in {@code SoakRun};
 * {@code ReadsSoakSuite} runs it at full speed with a few faults, {@code ChaosSuite} slower with a
 * random schedule of many.
 */
@NullMarked
package dev.keelson.soak;

import org.jspecify.annotations.NullMarked;
