package dev.keelson.webhook;

import java.net.http.HttpResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** When a server that is busy wants to be asked again (source: client-go, rest.checkWait). */
final class RetryAfter {

  private static final int MAX_DIGITS = 9;

  private RetryAfter() {}

  /** The time to wait; null if the response is final. */
  static @Nullable Duration of(HttpResponse<?> response) {
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
