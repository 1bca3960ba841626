/**
 * Looks after nodes: their conditions when their kubelets fall silent, the taints that follow, and
 * for how long kubelets may use what they have read.
 */
@NullMarked
package dev.keelson.controller.node;

import org.jspecify.annotations.NullMarked;
