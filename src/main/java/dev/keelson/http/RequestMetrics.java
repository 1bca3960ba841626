package dev.keelson.http;

import java.time.Duration;

/** Records metrics of requests. Called on the request's thread; must be fast. */
public interface RequestMetrics {

  /**
   * Records a completed request.
   *
   * @param status the HTTP status code
   * @param took the duration of the filter chain
   */
  void record(Exchange exchange, int status, Duration took);

  /**
   * Records an authorization decision.
   *
   * @param result allowed, denied, no-opinion or error
   */
  void decided(String result, Duration took);
}
