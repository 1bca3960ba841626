/**
 * Cluster IPs and node ports of Services: their ranges, their allocation, and how updates of a
 * Service keep them. Begin with {@link dev.keelson.registry.service.ServiceStrategy}.
 */
@NullMarked
package dev.keelson.registry.service;

import org.jspecify.annotations.NullMarked;
