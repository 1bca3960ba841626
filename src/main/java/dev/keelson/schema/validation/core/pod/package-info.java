/**
 * Validates pods and pod templates: containers, security, scheduling, resources, statuses, and what
 * updates may change (pkg/apis/core/validation). Knows no kind that has a pod template. Begin at
 * {@link dev.keelson.schema.validation.core.pod.PodRules}.
 */
@NullMarked
package dev.keelson.schema.validation.core.pod;

import org.jspecify.annotations.NullMarked;
