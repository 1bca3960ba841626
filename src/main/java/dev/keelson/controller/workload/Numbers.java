package dev.keelson.controller.workload;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import org.jspecify.annotations.Nullable;

/** Reads the numbers of objects, which are never negative where controllers read them. */
public final class Numbers {

  private Numbers() {}

  /** A number between 0 and the greatest int; another one if there is none. */
  public static int of(MapNode node, String key, int absent) {
    Integer number = orNull(node, key);
    return number == null ? absent : number;
  }

  /** A number between 0 and the greatest int; null if there is none. */
  public static @Nullable Integer orNull(MapNode node, String key) {
    return node.get(key) instanceof Node.Int number
        ? Math.clamp(number.value(), 0, Integer.MAX_VALUE)
        : null;
  }

  /** A number of an annotation or label; another one if there is none or it is out of range. */
  public static int parse(@Nullable String text, int absent) {
    if (text == null) {
      return absent;
    }
    try {
      int number = Integer.parseInt(text);
      return number < 0 ? absent : number;
    } catch (NumberFormatException e) {
      // somebody has written it
      return absent;
    }
  }
}
