/**
 * Empties namespaces whose deletion has begun. Begin with {@link
 * dev.keelson.controller.namespace.NamespaceTermination}.
 */
@NullMarked
package dev.keelson.controller.namespace;

import org.jspecify.annotations.NullMarked;
