/**
 * Dynamic resource allocation: which devices the ResourceClaims of a pod get on a node, and who has
 * reserved them. Knows neither nodes nor pods of the scheduler's model. Begin with {@link
 * dev.keelson.scheduler.device.Devices}; the search is {@code Allocator}.
 */
@NullMarked
package dev.keelson.scheduler.device;

import org.jspecify.annotations.NullMarked;
