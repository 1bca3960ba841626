/**
 * The horizontal pod autoscaler: reads metrics of pods and objects and sets the replicas of what
 * controls the pods through the scale subresource. Sees the API through the client only. Begin with
 * {@link dev.keelson.controller.autoscaler.AutoscalerController}; {@link
 * dev.keelson.controller.autoscaler.Autoscaling} is one look at one autoscaler.
 */
@NullMarked
package dev.keelson.controller.autoscaler;

import org.jspecify.annotations.NullMarked;
