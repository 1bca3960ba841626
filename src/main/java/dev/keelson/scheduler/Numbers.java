package dev.keelson.scheduler;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;

/** Reads numbers of objects. */
final class Numbers {

  private Numbers() {}

  /** The number of a key; 0 if there is none. */
  static long of(MapNode node, String key) {
    return node.get(key) instanceof Node.Int number ? number.value() : 0;
  }
}
