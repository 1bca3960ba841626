/**
 * Whether a pod fits a node, as Kubernetes decides it: resources, taints and tolerations, node
 * selectors and affinity, ports. Pure functions, shared by all who place pods.
 */
@NullMarked
package dev.keelson.controller.fit;

import org.jspecify.annotations.NullMarked;
