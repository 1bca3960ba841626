/**
 * Evicts the pods whose ResourceClaims have devices with taints that they do not tolerate. Sees the
 * API through the client only. Begin with {@link
 * dev.keelson.controller.devicetaint.DeviceTaintEvictionController}.
 */
@NullMarked
package dev.keelson.controller.devicetaint;

import org.jspecify.annotations.NullMarked;
