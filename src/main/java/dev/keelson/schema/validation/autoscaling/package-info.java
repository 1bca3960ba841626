/**
 * Validates horizontal pod autoscalers: targets, metrics and scaling behavior
 * (pkg/apis/autoscaling/validation). Begin at {@link
 * dev.keelson.schema.validation.autoscaling.AutoscalingKinds}.
 */
@NullMarked
package dev.keelson.schema.validation.autoscaling;

import org.jspecify.annotations.NullMarked;
