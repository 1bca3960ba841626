/**
 * Records Events of controllers, with client-go's rules against floods. Begin with {@link
 * dev.keelson.controller.event.EventRecorder}, or with {@link
 * dev.keelson.controller.event.SeriesRecorder} for components that report by {@code events.k8s.io}.
 */
@NullMarked
package dev.keelson.controller.event;

import org.jspecify.annotations.NullMarked;
