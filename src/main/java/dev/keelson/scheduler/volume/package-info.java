/**
 * The volumes of pods as the scheduler sees them: which nodes their claims allow, and how many
 * volumes a node can have. Knows neither nodes nor pods of the scheduler's model. Begin with {@link
 * dev.keelson.scheduler.volume.Claims}.
 */
@NullMarked
package dev.keelson.scheduler.volume;

import org.jspecify.annotations.NullMarked;
