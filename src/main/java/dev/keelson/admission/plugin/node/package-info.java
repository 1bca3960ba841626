/**
 * Admission plugins for nodes and for what kubelets write. Begin with {@link
 * dev.keelson.admission.plugin.node.NodeRestriction}.
 */
@NullMarked
package dev.keelson.admission.plugin.node;

import org.jspecify.annotations.NullMarked;
