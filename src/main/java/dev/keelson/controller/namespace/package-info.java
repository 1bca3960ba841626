/**
 * Deletes the content of terminating namespaces and reports progress in their conditions, as the
 * namespace controller of kube-controller-manager does. Begin with {@link
 * dev.keelson.controller.namespace.NamespaceController}.
 */
@NullMarked
package dev.keelson.controller.namespace;

import org.jspecify.annotations.NullMarked;
