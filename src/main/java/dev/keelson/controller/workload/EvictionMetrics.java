package dev.keelson.controller.workload;

import java.time.Duration;

/** Is told of the pods that a controller has deleted for a taint. Called by several threads. */
@FunctionalInterface
public interface EvictionMetrics {

  /**
   * A pod was deleted.
   *
   * @param late the time since it had to go
   */
  void evicted(Duration late);
}
