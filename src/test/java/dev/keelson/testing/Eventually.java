package dev.keelson.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Polls for a condition of another process. */
public final class Eventually {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private Eventually() {}

  /** Repeats {@code assertion} until it passes; rethrows its error after a minute. */
  public static void assertEventually(Runnable assertion) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      try {
        assertion.run();
        return;
      } catch (AssertionError e) {
        if (System.nanoTime() - end > 0) {
          throw e;
        }
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }
}
