/**
 * Addresses for the pods of nodes: each node gets a block of the cluster's ranges. Begin with
 * {@link dev.keelson.controller.ipam.NodeIpamController}.
 */
@NullMarked
package dev.keelson.controller.ipam;

import org.jspecify.annotations.NullMarked;
