/**
 * LimitRanger: default resources of containers, and the limits of containers, pods and claims that
 * the LimitRanges of a namespace set. Begin with {@link dev.keelson.admission.limits.LimitRanger}.
 */
@NullMarked
package dev.keelson.admission.limits;

import org.jspecify.annotations.NullMarked;
