/**
 * Types shared by all packages of the registry: the objects of a resource ({@link Collection}), a
 * stored object to be served ({@link StoredObject}), the codec between stored bytes and trees
 * ({@link ObjectCodec}), and the interfaces that a kind or the server plugs into a write ({@link
 * KindStrategy}, {@link ObjectRules}, {@link Defaulting}, {@link NamespaceLifecycle}). Objects are
 * trees in the stored version; nothing here knows HTTP. The verbs are in {@code registry.generic}.
 */
@NullMarked
package dev.keelson.registry;

import org.jspecify.annotations.NullMarked;
