/**
 * Tests that drive the packaged server from outside, as its users do. Each suite is written once
 * and run on each store. Begin with {@link dev.keelson.blackbox.RestSuite}.
 */
@NullMarked
package dev.keelson.blackbox;

import org.jspecify.annotations.NullMarked;
