package dev.keelson.registry.scheduling;

import dev.keelson.registry.KindStrategy;

/** A priority class keeps the generation of its creation: what matters of it cannot change. */
public final class PriorityClassStrategy implements KindStrategy {

  @Override
  public boolean raisesGeneration() {
    return false;
  }
}
