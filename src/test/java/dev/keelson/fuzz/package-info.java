/**
 * What the fuzzer of {@code make fuzz} calls, and the check of the inputs that it has kept. Nothing
 * here knows the fuzzer. Begin with {@link dev.keelson.fuzz.FuzzTarget}.
 */
@NullMarked
package dev.keelson.fuzz;

import org.jspecify.annotations.NullMarked;
