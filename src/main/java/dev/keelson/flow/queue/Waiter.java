package dev.keelson.flow.queue;

/** A request that waits in a {@link FairQueue}, or is executed. */
interface Waiter {

  /** Whose it is. */
  Flow flow();

  /** The work that it asked for. */
  WorkEstimate asked();

  /** R when it came, in seat-seconds. */
  double arrivalR();

  /** When it came, in milliseconds since 1970. */
  long arrivalMillis();

  /** When its execution began, in milliseconds since 1970; 0 before. */
  long startMillis();
}
