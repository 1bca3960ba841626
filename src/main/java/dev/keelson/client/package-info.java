/**
 * The only door to the API for code of this process that is itself a user of it: controllers and
 * the start-up. Begin with {@link dev.keelson.client.ResourceClient}.
 */
@NullMarked
package dev.keelson.client;

import org.jspecify.annotations.NullMarked;
