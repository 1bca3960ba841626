/**
 * Records Events of controllers, with client-go's rules against floods. Begin with {@link
 * dev.keelson.controller.event.EventRecorder}.
 */
@NullMarked
package dev.keelson.controller.event;

import org.jspecify.annotations.NullMarked;
