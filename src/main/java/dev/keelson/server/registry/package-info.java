/**
 * Connects the registry to its neighbours: the write steps of the built-in types, what admission
 * looks up, and the resources that are computed and not stored. Begin with {@link
 * dev.keelson.server.registry.BuiltInSteps}.
 */
@NullMarked
package dev.keelson.server.registry;

import org.jspecify.annotations.NullMarked;
