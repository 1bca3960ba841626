/**
 * Doubles and harnesses that many tests share. For the black-box suite begin with {@link
 * dev.keelson.testing.KeelsonProcess}, a server in a process of its own.
 */
@NullMarked
package dev.keelson.testing;

import org.jspecify.annotations.NullMarked;
