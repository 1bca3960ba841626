package dev.keelson.controller.fit;

import dev.keelson.object.Node.MapNode;
import java.util.List;

/** A taint of a node. */
public record Taint(String key, String value, String effect) {

  /** Pods that do not tolerate the taint are not placed on the node. */
  public static final String NO_SCHEDULE = "NoSchedule";

  /** Pods that do not tolerate the taint are rather not placed on the node. */
  public static final String PREFER_NO_SCHEDULE = "PreferNoSchedule";

  /** Pods that do not tolerate the taint are evicted from the node. */
  public static final String NO_EXECUTE = "NoExecute";

  /** Reads the taints of a node's spec. */
  public static List<Taint> of(MapNode spec) {
    return spec.maps("taints").stream()
        .map(taint -> new Taint(taint.text("key"), taint.text("value"), taint.text("effect")))
        .toList();
  }

  /** Whether the taint keeps pods that do not tolerate it away. */
  public boolean repels() {
    return effect.equals(NO_SCHEDULE) || effect.equals(NO_EXECUTE);
  }
}
