/**
 * The strategies of kinds of the group discovery.k8s.io that need one: what kube-apiserver's
 * strategy of the kind does beyond the columns of its row in {@code schema.BuiltInResources}.
 * Objects are in the stored version; strategies neither read the store nor see each other. Begin
 * with {@link dev.keelson.registry.discovery.EndpointSliceStrategy}.
 */
@NullMarked
package dev.keelson.registry.discovery;

import org.jspecify.annotations.NullMarked;
