/**
 * Validates events of events.k8s.io, which are stored as events of the core group
 * (pkg/apis/core/validation/events.go). Begin at {@link
 * dev.keelson.schema.validation.events.EventsKinds}.
 */
@NullMarked
package dev.keelson.schema.validation.events;

import org.jspecify.annotations.NullMarked;
