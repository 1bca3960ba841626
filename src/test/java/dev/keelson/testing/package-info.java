/**
 * Shared test doubles and harnesses. For the black-box suite begin with {@link
 * dev.keelson.testing.KeelsonProcess}, a server process.
 */
@NullMarked
package dev.keelson.testing;

import org.jspecify.annotations.NullMarked;
