/**
 * The meters of the parts of the server below HTTP, under Kubernetes' names: implementations of the
 * seams that those parts have, which know no meter. Begin with {@link
 * dev.keelson.server.metrics.CacheMeters}; {@code docs/metrics.md} lists every name.
 */
@NullMarked
package dev.keelson.server.metrics;

import org.jspecify.annotations.NullMarked;
