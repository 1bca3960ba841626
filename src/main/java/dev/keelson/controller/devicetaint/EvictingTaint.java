package dev.keelson.controller.devicetaint;

import dev.keelson.controller.workload.Times;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;

/**
 * A taint of a device with the effect NoExecute.
 *
 * @param since when it was added
 */
record EvictingTaint(String key, String value, Instant since) {

  static final String NO_EXECUTE = "NoExecute";

  /** A taint; a server gives each of them a time. */
  static EvictingTaint of(MapNode taint) {
    return new EvictingTaint(
        taint.text("key"), taint.text("value"), Times.instant(taint.text("timeAdded")));
  }

  static boolean is(MapNode taint) {
    return taint.text("effect").equals(NO_EXECUTE);
  }
}
