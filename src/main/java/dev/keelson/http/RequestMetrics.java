package dev.keelson.http;

import dev.keelson.request.Interruption;
import java.time.Duration;
import java.time.Instant;

/** Records metrics of requests. Called on the request's thread; must be fast. */
public interface RequestMetrics {

  /** A request that is being answered. */
  interface Running extends Interruption {

    /**
     * Records the end of the request: its response was sent or, if it is complete in memory, made.
     * Called once, on any thread.
     *
     * @param status the HTTP status code
     * @param nanos the duration of the request
     * @param responseBytes the size of the body as it was sent; of one that outlives its handler 0
     */
    void ended(int status, long nanos, long responseBytes);
  }

  /** Records the begin of a request. */
  Running begin(Exchange exchange);

  /**
   * Records an authentication.
   *
   * @param result success, failure (no credentials) or error (credentials that are not valid)
   * @param user the name of the user, or empty
   */
  void authenticated(String result, String user, Duration took);

  /** Records the time until which a client certificate is valid. */
  void certificate(Instant expiry);

  /**
   * Records an authorization decision.
   *
   * @param result allowed, denied, no-opinion or error
   */
  void decided(String result, Duration took);

  /**
   * Records an impersonation.
   *
   * @param mode the mode that allows it; empty if none does
   */
  void impersonated(String mode, Duration took);

  /**
   * Records a question to the authorizer about an impersonation.
   *
   * @param mode the mode that asks
   * @param allowed the answer
   */
  void impersonationChecked(String mode, boolean allowed, Duration took);
}
