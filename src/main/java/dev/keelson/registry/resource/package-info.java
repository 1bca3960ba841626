/**
 * The strategies of resource.k8s.io: how claims and slices of devices are completed before
 * validation. The scheduler allocates devices, not the server. Begin at {@link
 * dev.keelson.registry.resource.ResourceClaimStrategy}.
 */
@NullMarked
package dev.keelson.registry.resource;

import org.jspecify.annotations.NullMarked;
