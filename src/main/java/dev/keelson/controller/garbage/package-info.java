/**
 * Removes objects whose owners are gone, before or after their owners as the deletion of those
 * says. Knows objects only as a client does. Begin with {@link
 * dev.keelson.controller.garbage.GarbageCollector}.
 */
@NullMarked
package dev.keelson.controller.garbage;

import org.jspecify.annotations.NullMarked;
