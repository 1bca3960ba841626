/**
 * The controller of PodDisruptionBudgets: keeps their status, from which evictions are allowed, and
 * ends the condition DisruptionTarget of pods that were not deleted after all. Sees the API through
 * the client only. Begin with {@link dev.keelson.controller.disruption.DisruptionController}.
 */
@NullMarked
package dev.keelson.controller.disruption;

import org.jspecify.annotations.NullMarked;
