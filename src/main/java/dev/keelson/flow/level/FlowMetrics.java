package dev.keelson.flow.level;

import dev.keelson.flow.queue.LevelObserver;
import java.time.Duration;

/**
 * Is told what priority and fairness does, for metrics. Methods are called for each request and
 * must be fast.
 */
public interface FlowMetrics {

  /** Records nothing. */
  FlowMetrics NONE =
      new FlowMetrics() {
        @Override
        public LevelObserver level(String name) {
          return LevelObserver.NONE;
        }
      };

  /** The observer of a level; the same one for the same name. */
  LevelObserver level(String name);

  /** A level is no longer there. */
  default void removed(String level) {}

  /** The estimated seats of a request. */
  default void estimated(String level, String schema, int seats) {}

  /** The number of watches that a write concerns. */
  default void watches(String level, String schema, int watches) {}

  /** A request waited, and was executed or rejected then. */
  default void waited(String level, String schema, boolean executed, Duration time) {}

  /**
   * A request was executed.
   *
   * @param watch whether it is the initial phase of a watch
   */
  default void executed(String level, String schema, boolean watch, Duration time) {}

  /** What a request is doing. */
  enum Phase {
    WAITING,
    EXECUTING
  }

  /**
   * The number of requests in a phase changed.
   *
   * @param mutating whether it is a write
   */
  default void inFlight(boolean mutating, Phase phase, int change) {}

  /** The limits of a level changed. */
  default void limits(String level, LevelLimits limits) {}

  /** The fraction of their demand that levels get; 0 if all have their least. */
  default void fairFraction(double fraction) {}

  /**
   * The seats of a level.
   *
   * @param nominal its share of the total
   * @param lower what others cannot borrow
   * @param upper with all that it may borrow
   */
  record LevelLimits(int nominal, int lower, int upper) {}

  /** The seats of a level were adjusted. */
  default void adjusted(String level, Adjustment adjustment) {}

  /**
   * What the seats of a level were adjusted by.
   *
   * @param average of its demand in the last period
   * @param target what it was to have
   * @param current what it has
   */
  record Adjustment(
      double average,
      double deviation,
      double highWatermark,
      double smoothed,
      double target,
      int current) {}
}
