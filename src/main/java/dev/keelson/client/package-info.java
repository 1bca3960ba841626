/**
 * The client of the API for code inside the process: controllers and start-up. Begin with {@link
 * dev.keelson.client.ResourceClient}.
 */
@NullMarked
package dev.keelson.client;

import org.jspecify.annotations.NullMarked;
