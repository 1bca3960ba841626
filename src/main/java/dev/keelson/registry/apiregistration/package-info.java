/**
 * The strategies of kinds of the group apiregistration.k8s.io that need one: what kube-aggregator's
 * strategy of the kind does beyond the columns of its row in {@code schema.BuiltInResources}.
 * Objects are in the stored version; strategies neither read the store nor see each other. Begin
 * with {@link dev.keelson.registry.apiregistration.ApiServiceStrategy}.
 */
@NullMarked
package dev.keelson.registry.apiregistration;

import org.jspecify.annotations.NullMarked;
