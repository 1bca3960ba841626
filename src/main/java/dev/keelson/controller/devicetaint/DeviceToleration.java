package dev.keelson.controller.devicetaint;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A toleration of taints with the effect NoExecute.
 *
 * @param key empty for every key
 * @param exists whether every value is tolerated
 * @param seconds for how long, at least 0; null for ever
 */
record DeviceToleration(String key, boolean exists, String value, @Nullable Long seconds) {

  /** Longer ones have no end that can be waited for. */
  private static final long MOST_SECONDS = Duration.ofDays(36_500).toSeconds();

  static DeviceToleration of(MapNode toleration) {
    return new DeviceToleration(
        toleration.text("key"),
        toleration.text("operator").equals("Exists"),
        toleration.text("value"),
        toleration.get("tolerationSeconds") instanceof Node.Int number
            ? Long.valueOf(Math.clamp(number.value(), 0, MOST_SECONDS))
            : null);
  }

  /** Whether it is one of NoExecute, alone or with all other effects. */
  static boolean is(MapNode toleration) {
    String effect = toleration.text("effect");
    return effect.isEmpty() || effect.equals(EvictingTaint.NO_EXECUTE);
  }

  boolean tolerates(EvictingTaint taint) {
    return (key.isEmpty() || key.equals(taint.key())) && (exists || value.equals(taint.value()));
  }

  /** When it ends for a taint that it tolerates; {@link Instant#MAX} for never. */
  Instant end(EvictingTaint taint) {
    return seconds == null ? Instant.MAX : taint.since().plusSeconds(seconds);
  }
}
