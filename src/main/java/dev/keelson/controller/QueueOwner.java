package dev.keelson.controller;

import java.util.List;

/** A part with work queues, which can be measured. */
@FunctionalInterface
public interface QueueOwner {

  /** The queues, always the same; empty for a part that works without one. */
  List<WorkQueue<?>> queues();

  /** Measures the queues from now on; called before the part starts. */
  default void measure(WorkQueueMetrics metrics) {
    queues().forEach(queue -> queue.measure(metrics));
  }
}
