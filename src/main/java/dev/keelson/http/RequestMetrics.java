package dev.keelson.http;

import java.time.Duration;

/** Is told about every request. Called on the request's thread; must be quick. */
public interface RequestMetrics {

  /**
   * A request has been answered.
   *
   * @param status the HTTP code of the answer
   * @param took from the begin of the chain to its end
   */
  void record(Exchange exchange, int status, Duration took);

  /**
   * It has been decided whether a request may be done.
   *
   * @param result allowed, denied, no-opinion or error
   */
  void decided(String result, Duration took);
}
