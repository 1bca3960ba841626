package dev.keelson.http.audit;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.audit.AuditMetrics;
import dev.keelson.audit.Auditor;
import dev.keelson.http.ErrorResponses;
import java.time.InstantSource;
import java.util.concurrent.Executor;

/**
 * What the stages of the audit work with.
 *
 * @param bodies makes JSON of bodies
 * @param completions runs the last event of a response that outlives its request's thread
 */
public record AuditParts(
    Auditor auditor,
    BodyJson bodies,
    ErrorResponses errors,
    Executor completions,
    AuditMetrics metrics,
    InstantSource clock) {

  /** The error of a request whose event cannot be stored. */
  static ApiException notStored() {
    return new ApiException(
        Reason.INTERNAL_ERROR, "Internal error occurred: failed to store audit event");
  }
}
