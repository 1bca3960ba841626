/**
 * The priority levels of this server: how many seats each has, what it lends and borrows, and how
 * much work a request is. Knows no HTTP and no clock of its own. Begin with {@link
 * dev.keelson.flow.level.PriorityLevels}.
 */
@NullMarked
package dev.keelson.flow.level;

import org.jspecify.annotations.NullMarked;
