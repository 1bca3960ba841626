/**
 * Makes the objects that every cluster has. Begin with {@link
 * dev.keelson.controller.bootstrap.SystemObjects}.
 */
@NullMarked
package dev.keelson.controller.bootstrap;

import org.jspecify.annotations.NullMarked;
