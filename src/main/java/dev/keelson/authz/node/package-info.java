/**
 * The node authorizer: kubelets may read the objects that their pods refer to and write their own
 * node, lease and pods. The objects of the graph come from {@link
 * dev.keelson.authz.node.GraphSource}. Begin with {@link dev.keelson.authz.node.NodeAuthorizer}.
 */
@NullMarked
package dev.keelson.authz.node;

import org.jspecify.annotations.NullMarked;
