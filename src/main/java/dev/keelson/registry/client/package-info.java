/**
 * The registry as code in this process sees it through the interfaces of package {@code client}: a
 * client that makes no HTTP requests, and the owners of all objects.
 */
@NullMarked
package dev.keelson.registry.client;

import org.jspecify.annotations.NullMarked;
