/**
 * Collections that the JDK does not have. They know nothing of their elements; other packages use
 * them for state of which readers need an unchanging view while it is edited. Begin with {@link
 * dev.keelson.collection.PersistentMap}.
 */
@NullMarked
package dev.keelson.collection;

import org.jspecify.annotations.NullMarked;
