package dev.keelson.admission.webhook;

import dev.keelson.api.Verb;
import java.time.Duration;

/** Receives what webhook calls are measured by. Safe for use by several threads. */
public interface WebhookMetrics {

  /** Measures nothing. */
  WebhookMetrics NONE =
      new WebhookMetrics() {
        @Override
        public void called(
            Step step, String name, Verb operation, int code, boolean rejected, Duration took) {
          // nothing is measured
        }

        @Override
        public void rejected(Step step, String name, Verb operation, Rejection why, int code) {
          // nothing is measured
        }

        @Override
        public void failedOpen(Step step, String name) {
          // nothing is measured
        }

        @Override
        public void excluded(Step step, String name, Verb operation) {
          // nothing is measured
        }

        @Override
        public void evaluated(Step step, String name, Verb operation, int errors, Duration took) {
          // nothing is measured
        }
      };

  /** Why a webhook rejects a request. */
  enum Rejection {
    /** The call failed. */
    CALLING_WEBHOOK_ERROR("calling_webhook_error"),
    /** The server could not use the answer, or could not ask. */
    APISERVER_INTERNAL_ERROR("apiserver_internal_error"),
    /** The webhook denied it. */
    NO_ERROR("no_error");

    private final String text;

    Rejection(String text) {
      this.text = text;
    }

    /** The value of the label {@code error_type}. */
    public String text() {
      return text;
    }
  }

  /**
   * A webhook was called.
   *
   * @param code the status of the answer, or that of the failure; 0 for a failure of this server
   * @param rejected whether the request is rejected
   */
  void called(Step step, String name, Verb operation, int code, boolean rejected, Duration took);

  /** A webhook rejected a request. */
  void rejected(Step step, String name, Verb operation, Rejection why, int code);

  /** A webhook with {@code failurePolicy: Ignore} failed. */
  void failedOpen(Step step, String name);

  /** The match conditions of a webhook excluded a request. */
  void excluded(Step step, String name, Verb operation);

  /**
   * The match conditions of a webhook were evaluated.
   *
   * @param errors the number of those that cannot be
   */
  void evaluated(Step step, String name, Verb operation, int errors, Duration took);
}
