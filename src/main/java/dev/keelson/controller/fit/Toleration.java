package dev.keelson.controller.fit;

import dev.keelson.object.Node.MapNode;
import dev.keelson.value.SharedText;
import java.util.List;

/**
 * A toleration of a pod.
 *
 * @param key empty for all keys
 * @param operator {@code Exists} or {@code Equal}, which is the default
 * @param effect empty for all effects
 */
public record Toleration(String key, String operator, String value, String effect) {

  public Toleration {
    key = SharedText.of(key);
    operator = SharedText.of(operator);
    value = SharedText.of(value);
    effect = SharedText.of(effect);
  }

  /** Reads the tolerations of a pod's spec. */
  public static List<Toleration> of(MapNode spec) {
    return spec.maps("tolerations").stream()
        .map(
            toleration ->
                new Toleration(
                    toleration.text("key"),
                    toleration.text("operator"),
                    toleration.text("value"),
                    toleration.text("effect")))
        .toList();
  }

  /** Whether a taint is tolerated. */
  public boolean tolerates(Taint taint) {
    if (!effect.isEmpty() && !effect.equals(taint.effect())) {
      return false;
    }
    if (!key.isEmpty() && !key.equals(taint.key())) {
      return false;
    }
    return operator.equals("Exists")
        || ((operator.isEmpty() || operator.equals("Equal")) && value.equals(taint.value()));
  }

  /** Whether one of the tolerations tolerates a taint. */
  public static boolean anyTolerates(List<Toleration> tolerations, Taint taint) {
    for (Toleration toleration : tolerations) {
      if (toleration.tolerates(taint)) {
        return true;
      }
    }
    return false;
  }
}
