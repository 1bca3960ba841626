package dev.keelson.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits for what another process is about to do. */
public final class Soon {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private Soon() {}

  /** Looks again until {@code assertion} holds; after a minute throws what it throws. */
  public static void assertSoon(Runnable assertion) {
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
