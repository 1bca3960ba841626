/**
 * The strategies of resource.k8s.io: what the server does to claims and slices of devices before
 * they are validated. Allocates nothing: that is the scheduler's. Begin at {@link
 * dev.keelson.registry.resource.ResourceClaimStrategy}.
 */
@NullMarked
package dev.keelson.registry.resource;

import org.jspecify.annotations.NullMarked;
