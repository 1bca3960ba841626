/**
 * What the coverage-guided fuzzer calls. Knows the decoders and negotiation, and nothing of the
 * fuzzer. Begin with {@link dev.keelson.fuzz.DecodersFuzz}.
 */
@NullMarked
package dev.keelson.fuzz;

import org.jspecify.annotations.NullMarked;
