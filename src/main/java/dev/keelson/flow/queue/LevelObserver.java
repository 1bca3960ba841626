package dev.keelson.flow.queue;

/**
 * Is told what happens in a {@link QueueSet}, within its lock: the methods must be fast and must
 * not call it.
 */
public interface LevelObserver {

  /** Observes nothing. */
  LevelObserver NONE = new LevelObserver() {};

  /**
   * The number of waiting requests changed.
   *
   * @param requests by how many
   * @param seats by how many seats
   */
  default void waiting(Flow flow, int requests, int seats) {}

  /** A request waits in a queue that has {@code length} with it. */
  default void enqueued(Flow flow, int length) {}

  /**
   * What is executed changed.
   *
   * @param requests by how many; seats may be kept after a request
   * @param seats by how many seats
   */
  default void executing(Flow flow, int requests, int seats) {}

  /** A request was rejected. */
  default void rejected(Flow flow, Outcome outcome) {}

  /** The request that is next in turn needs more seats than are free. */
  default void notAccommodated(Flow flow) {}

  /** The seats that are taken or waited for. */
  default void demand(int seats) {}

  /** The limits by which use is measured: seats, and requests in all queues. */
  default void capacity(int seats, int waiting) {}

  /**
   * A request was dispatched.
   *
   * @param r the meter of progress
   * @param start the virtual start of the request
   */
  default void dispatched(double r, double start) {}
}
