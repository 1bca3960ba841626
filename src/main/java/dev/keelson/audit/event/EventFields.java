package dev.keelson.audit.event;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an event beside its kind and version.
 *
 * @param level the level that the policy gives
 * @param request what all events of the request share
 * @param impersonation as whom the user acts, or null
 * @param objectRef the object of a resource request, or null
 * @param responseStatus the outcome, or null while there is none
 * @param requestObject the request's body as compact JSON, or null; not to be changed
 * @param responseObject the response's body as compact JSON, or null; not to be changed
 * @param stageTime when the request reached the stage
 * @param annotations keys and values of authorization, authentication, admission and others
 */
public record EventFields(
    Level level,
    Stage stage,
    RequestFacts request,
    @Nullable Impersonated impersonation,
    @Nullable ObjectReference objectRef,
    @Nullable ResponseStatus responseStatus,
    byte @Nullable [] requestObject,
    byte @Nullable [] responseObject,
    Instant stageTime,
    Map<String, String> annotations) {

  /** The same without request and response object. */
  public EventFields withoutObjects() {
    return new EventFields(
        level,
        stage,
        request,
        impersonation,
        objectRef,
        responseStatus,
        null,
        null,
        stageTime,
        annotations);
  }

  EventFields withAnnotations(Map<String, String> others) {
    return new EventFields(
        level,
        stage,
        request,
        impersonation,
        objectRef,
        responseStatus,
        requestObject,
        responseObject,
        stageTime,
        others);
  }
}
