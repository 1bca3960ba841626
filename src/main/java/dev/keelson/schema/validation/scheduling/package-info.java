/**
 * Validates priority classes, of which some are reserved for the system
 * (pkg/apis/scheduling/validation). Begin at {@link
 * dev.keelson.schema.validation.scheduling.SchedulingKinds}.
 */
@NullMarked
package dev.keelson.schema.validation.scheduling;

import org.jspecify.annotations.NullMarked;
