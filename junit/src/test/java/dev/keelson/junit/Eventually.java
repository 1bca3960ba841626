package dev.keelson.junit;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for a condition. */
final class Eventually {

  private static final Duration LONGEST = Duration.ofSeconds(60);

  private Eventually() {}

  static void until(String what, BooleanSupplier condition) throws InterruptedException {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - begin > LONGEST.toNanos()) {
        throw new AssertionError("after " + LONGEST + " still not: " + what);
      }
      Thread.sleep(10);
    }
  }
}
