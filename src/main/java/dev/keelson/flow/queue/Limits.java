package dev.keelson.flow.queue;

/**
 * The limits of a level.
 *
 * @param seats how many may be taken
 * @param excess what becomes of requests above the limit
 * @param queues their number; 0 without {@link Excess#QUEUE}
 * @param handSize how many of them a flow may use
 * @param lengthLimit how many requests wait in one of them at most
 */
public record Limits(int seats, Excess excess, int queues, int handSize, int lengthLimit) {

  /** What becomes of requests above the limit. */
  public enum Excess {
    /** There is no limit. */
    PASS,
    REJECT,
    QUEUE
  }

  /** No limit on seats, which are counted. */
  public static Limits none(int seats) {
    return new Limits(seats, Excess.PASS, 0, 0, 0);
  }

  /** The same with other seats. */
  public Limits withSeats(int other) {
    return new Limits(other, excess, queues, handSize, lengthLimit);
  }

  /** How many requests may wait, at least 1. */
  int capacity() {
    return Math.max(1, lengthLimit) * Math.max(1, queues);
  }
}
