/**
 * Connects the registry to other layers: the write steps of the built-in types, lookups of
 * admission, and computed resources. Begin with {@link dev.keelson.server.registry.BuiltInSteps}.
 */
@NullMarked
package dev.keelson.server.registry;

import org.jspecify.annotations.NullMarked;
