/**
 * What a kubelet may do: read what its pods refer to, and write what is about its own node. The
 * relations come from {@link dev.keelson.authz.node.GraphSource}; begin with {@link
 * dev.keelson.authz.node.NodeAuthorizer}.
 */
@NullMarked
package dev.keelson.authz.node;

import org.jspecify.annotations.NullMarked;
