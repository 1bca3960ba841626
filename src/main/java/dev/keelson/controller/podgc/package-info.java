/**
 * Deletes pods that nobody else will: those of nodes that are gone, those that end and are on no
 * node, and the oldest of too many that have ended. Sees the API through the client only. Begin
 * with {@link dev.keelson.controller.podgc.PodGarbageCollector}.
 */
@NullMarked
package dev.keelson.controller.podgc;

import org.jspecify.annotations.NullMarked;
