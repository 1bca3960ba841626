package dev.keelson.http.trail;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.audit.trail.TrailException;
import org.jboss.logging.Logger;

/** A call of the store. */
@FunctionalInterface
interface TrailCall<T> {

  Logger LOG = Logger.getLogger(TrailCall.class);

  T run() throws TrailException;

  /** Calls the store; its failure is one of the request, which may be repeated. */
  static <T> T ask(TrailCall<T> call) {
    try {
      return call.run();
    } catch (TrailException e) {
      LOG.warnf("event=audit-trail-unavailable error=%s", e.getMessage());
      throw new ApiException(
          Reason.SERVICE_UNAVAILABLE,
          "the audit trail is not available; please try again",
          ErrorDetails.NONE.withRetryAfterSeconds(1),
          e);
    }
  }
}
