/**
 * What pods of simulated nodes answer in the place of a kubelet: logs and commands. All of it is
 * made from the pod's status, so that every server of a store answers the same. Begin with {@link
 * dev.keelson.http.simulated.SimulatedPods}.
 */
@NullMarked
package dev.keelson.http.simulated;

import org.jspecify.annotations.NullMarked;
