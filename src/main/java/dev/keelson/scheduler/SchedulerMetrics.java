package dev.keelson.scheduler;

import java.util.function.ToIntFunction;

/**
 * Counts what the scheduler does. Called by its loop and by the threads that bind pods; times are
 * in nanoseconds.
 */
public interface SchedulerMetrics {

  /** How an attempt to place a pod ended. */
  enum Result {
    /** The pod was bound. */
    SCHEDULED,
    /** No node will do. */
    UNSCHEDULABLE,
    /** A request failed, or an object is wrong. */
    ERROR
  }

  /** Why a pod has no node. */
  enum Waiting {
    /** It is tried next. */
    ACTIVE,
    /** It is tried again when its back-off ends. */
    BACKOFF,
    /** It is tried again when something changes. */
    UNSCHEDULABLE,
    /** It has scheduling gates. */
    GATED
  }

  /** An attempt ended; the time includes that of the binding. */
  void attempted(Result result, long nanos);

  /** A node was chosen. */
  void chose(long nanos);

  /**
   * A pod was bound.
   *
   * @param attempts how often it was tried
   * @param nanos since it was tried first
   */
  void bound(int attempts, long nanos);

  /**
   * Room was looked for.
   *
   * @param victims how many pods have to go; 0 if that does not help
   */
  void preempted(int victims);

  /**
   * Measures the waiting pods at each scrape.
   *
   * @param pods their number; safe for use by several threads
   */
  void measure(ToIntFunction<Waiting> pods);
}
