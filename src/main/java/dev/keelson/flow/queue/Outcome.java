package dev.keelson.flow.queue;

/** What was decided about a request. */
public enum Outcome {
  /** It has its seats. */
  EXECUTE(""),
  /** Its queue is full, and all seats are taken. */
  QUEUE_FULL("queue-full"),
  /** All seats are taken, and the level has no queues. */
  CONCURRENCY_LIMIT("concurrency-limit"),
  /** It has waited too long. */
  TIME_OUT("time-out"),
  /** Its client is gone. */
  CANCELLED("cancelled");

  private final String reason;

  Outcome(String reason) {
    this.reason = reason;
  }

  /** The label {@code reason} of rejected requests; empty for {@link #EXECUTE}. */
  public String reason() {
    return reason;
  }
}
