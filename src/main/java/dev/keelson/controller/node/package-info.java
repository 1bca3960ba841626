/**
 * Looks after nodes: their conditions when their kubelets fall silent, and the taints that follow.
 */
@NullMarked
package dev.keelson.controller.node;

import org.jspecify.annotations.NullMarked;
