/**
 * Keeps one pod of each DaemonSet on every node that suits it. Begin with {@link
 * dev.keelson.controller.daemonset.DaemonSetController}; what a node needs is decided by {@code
 * NodePods}, how an update goes on by {@code DaemonUpdate}. Sees the API through the client only.
 */
@NullMarked
package dev.keelson.controller.daemonset;

import org.jspecify.annotations.NullMarked;
