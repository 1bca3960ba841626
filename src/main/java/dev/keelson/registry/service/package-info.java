/**
 * Cluster IPs and node ports of Services: their ranges, their allocation, and what an update of a
 * Service keeps of it. Begin with {@link dev.keelson.registry.service.ServiceStrategy}.
 */
@NullMarked
package dev.keelson.registry.service;

import org.jspecify.annotations.NullMarked;
