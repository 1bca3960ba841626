package dev.keelson.controller;

/** Receives what happens in work queues, as client-go's {@code MetricsProvider} does. */
@FunctionalInterface
public interface WorkQueueMetrics {

  /** Of queues that nobody measures. */
  Events NONE =
      new Events() {
        @Override
        public void added() {
          // not measured
        }

        @Override
        public void taken(long waitedNanos) {
          // not measured
        }

        @Override
        public void done(long workedNanos) {
          // not measured
        }

        @Override
        public void retried() {
          // not measured
        }

        @Override
        public void ended() {
          // not measured
        }
      };

  /**
   * Begins to measure a queue, by its name; several queues may share one. The state of the queue
   * may be read until {@link Events#ended}.
   */
  Events of(Queue queue);

  /** The state of a queue, for gauges. */
  interface Queue {

    /** The name in metrics. */
    String name();

    /** The number of items that wait to be taken, without those that will be added later. */
    int depth();

    /** The items that are under way. */
    Unfinished unfinished();
  }

  /**
   * Items that workers have taken and not ended.
   *
   * @param totalNanos the sum of the times since they were taken, in nanoseconds
   * @param longestNanos the longest of these times, in nanoseconds; 0 without items
   */
  record Unfinished(long totalNanos, long longestNanos) {}

  /**
   * The events of one queue. Called by several threads under the lock of the queue, so none may
   * block or call the queue.
   */
  interface Events {

    /** An item was added that did not wait yet. */
    void added();

    /** A worker took an item, which had waited for {@code waitedNanos} nanoseconds. */
    void taken(long waitedNanos);

    /**
     * A worker has ended with an item after {@code workedNanos} nanoseconds, with or without
     * success.
     */
    void done(long workedNanos);

    /** An item will be added after a delay. */
    void retried();

    /** The queue is not used any more; no event follows. */
    void ended();
  }
}
