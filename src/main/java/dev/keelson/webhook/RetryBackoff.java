package dev.keelson.webhook;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;

/**
 * The attempts of a request to a webhook that authenticates or authorizes, and the pauses between
 * them: each is half as long again as the one before, and up to a fifth longer by chance (source:
 * {@code DefaultAuthWebhookRetryBackoff} of apiserver).
 *
 * @param first the pause before the second attempt, without what chance adds
 * @param attempts the number of attempts, at least 1
 */
public record RetryBackoff(Duration first, int attempts) {

  /** Five attempts, and half a second before the second one. */
  public static final RetryBackoff DEFAULT = new RetryBackoff(Duration.ofMillis(500), 5);

  private static final double FACTOR = 1.5;
  private static final double JITTER = 0.2;

  /** One attempt. */
  @FunctionalInterface
  public interface Attempt<T> {
    /**
     * Sends the request and returns the response.
     *
     * @throws IOException if it fails
     */
    T run() throws IOException;
  }

  /**
   * Returns the result of the first attempt that succeeds; blocks.
   *
   * @param passing whether another attempt may succeed after a failure
   * @throws IOException of the last attempt; no further one is made if the thread is interrupted,
   *     which it still is afterwards
   */
  public <T> T run(Predicate<IOException> passing, Attempt<T> attempt) throws IOException {
    double pause = first.toNanos();
    for (int made = 1; ; made++) {
      try {
        return attempt.run();
      } catch (IOException e) {
        if (made >= attempts || !passing.test(e)) {
          throw e;
        }
        sleep(pause, e);
      }
      pause *= FACTOR;
    }
  }

  private static void sleep(double pause, IOException why) throws IOException {
    double longer = pause * (1 + JITTER * ThreadLocalRandom.current().nextDouble());
    try {
      Thread.sleep(Duration.ofNanos((long) longer));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw why;
    }
  }
}
