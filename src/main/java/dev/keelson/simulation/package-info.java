/**
 * Nodes on which no container runs: they register, renew their leases and tell of each of their
 * pods what a kubelet would tell of containers that behave as a file describes. For tests of
 * controllers and for demonstrations; every such node says so in its labels and its node info.
 */
@NullMarked
package dev.keelson.simulation;

import org.jspecify.annotations.NullMarked;
