package dev.keelson.registry.core;

import dev.keelson.registry.KindStrategy;

/** A kubelet registers its node together with what it knows of it. */
public final class NodeStrategy implements KindStrategy {

  @Override
  public boolean keepsStatusOnCreate() {
    return true;
  }
}
