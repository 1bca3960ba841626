package dev.keelson.authz;

import java.time.Duration;

/**
 * Takes what the authorizers of a chain decide (source: apiserver, {@code authorization/metrics}
 * and {@code plugin/pkg/authorizer/webhook/metrics}).
 *
 * <p>Names are those of an AuthorizationConfiguration; with flags, the type in lower case.
 */
public interface AuthorizerMetrics {

  /** Records nothing. */
  AuthorizerMetrics NONE =
      new AuthorizerMetrics() {
        @Override
        public Runnable decisions(String type, String name, boolean allowed) {
          return () -> {};
        }

        @Override
        public void asked(String name, String result, Duration took) {
          // nothing is recorded
        }

        @Override
        public void failedOpen(String name, String result) {
          // nothing is recorded
        }

        @Override
        public void evaluated(String name, Duration took) {
          // nothing is recorded
        }

        @Override
        public void excluded(String name) {
          // nothing is recorded
        }

        @Override
        public void unknown(String name) {
          // nothing is recorded
        }
      };

  /** Returns what counts a decision of an authorizer that ends the chain. */
  Runnable decisions(String type, String name, boolean allowed);

  /**
   * A webhook was asked.
   *
   * @param result {@code success}, {@code timeout}, {@code canceled} or {@code error}
   */
  void asked(String name, String result, Duration took);

  /** A webhook failed and the next authorizer decides; the result is as above. */
  void failedOpen(String name, String result);

  /** The match conditions of a webhook were evaluated. */
  void evaluated(String name, Duration took);

  /** A match condition of a webhook does not hold, so that it is not asked. */
  void excluded(String name);

  /** Match conditions of a webhook cannot be evaluated. */
  void unknown(String name);
}
