package dev.keelson.scheduler;

import dev.keelson.scheduler.device.DeviceNeeds;
import dev.keelson.scheduler.volume.VolumeNeeds;

/**
 * What other objects than the pod itself demand of its node.
 *
 * @param volumes by its volumes
 * @param devices by its ResourceClaims
 */
record Needs(VolumeNeeds volumes, DeviceNeeds devices) {

  static final Needs NONE = new Needs(VolumeNeeds.NONE, DeviceNeeds.NONE);

  /** Why no node will do; empty if one may. */
  String refusal() {
    return volumes.refusal().isEmpty() ? devices.refusal() : volumes.refusal();
  }
}
