/**
 * What follows from the spec of a pod as a tree, for its defaults and for its validation alike.
 * Begin at {@link dev.keelson.schema.pod.ContainerTotals}.
 */
@NullMarked
package dev.keelson.schema.pod;

import org.jspecify.annotations.NullMarked;
