package dev.keelson.webhook;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Asks a server that is busy again after as many seconds as it says (source: client-go,
 * rest.checkWait).
 */
public final class RetryAfter {

  private static final int MAX_DIGITS = 9;

  /** As many as client-go makes. */
  private static final int MAX_RETRIES = 10;

  private RetryAfter() {}

  /** One exchange with the server. */
  @FunctionalInterface
  public interface Attempt {
    /**
     * Sends the request.
     *
     * @param left how long it may take
     */
    HttpResponse<byte[]> send(Duration left) throws IOException;
  }

  /**
   * The response of a server that may be busy at first.
   *
   * @param timeout how long all attempts may take together
   * @throws HttpTimeoutException if the server wants to be asked after that time
   * @throws InterruptedIOException if the thread is interrupted, which it still is afterwards
   * @throws IOException if an attempt fails
   */
  public static HttpResponse<byte[]> answer(Duration timeout, Attempt attempt) throws IOException {
    long deadline = System.nanoTime() + timeout.toNanos();
    for (int retries = 0; ; retries++) {
      HttpResponse<byte[]> response = attempt.send(left(deadline));
      Duration wait = of(response);
      if (wait == null || retries == MAX_RETRIES) {
        return response;
      }
      if (wait.compareTo(left(deadline)) >= 0) {
        throw new HttpTimeoutException("the webhook is busy for " + wait);
      }
      pause(wait);
    }
  }

  private static Duration left(long deadline) {
    return Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
  }

  private static void pause(Duration wait) throws IOException {
    try {
      Thread.sleep(wait);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException("interrupted");
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  /** The time to wait; null if the response is final. */
  private static @Nullable Duration of(HttpResponse<?> response) {
    if (response.statusCode() != 429 && response.statusCode() < 500) {
      return null;
    }
    String seconds = response.headers().firstValue("Retry-After").orElse("");
    boolean isNumber =
        !seconds.isEmpty()
            && seconds.length() <= MAX_DIGITS
            && seconds.chars().allMatch(c -> c >= '0' && c <= '9');
    return isNumber ? Duration.ofSeconds(Long.parseLong(seconds)) : null;
  }
}
