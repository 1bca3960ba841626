package dev.keelson.admission;

import dev.keelson.api.Verb;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.AuditAnnotations;
import dev.keelson.request.Deadline;
import dev.keelson.request.UserInfo;
import java.util.function.Consumer;

/**
 * What the admission of every object of a request shares.
 *
 * @param user the user of the request
 * @param verb the verb of the request, by which rights on it are named; a patch is PATCH
 * @param dryRun whether the write is a dry run: plugins must have no side effects
 * @param options the fields of the options object as the client sent them, without its type
 * @param warnings takes warnings for the client, on any thread
 * @param annotations takes audit annotations, on any thread
 * @param deadline when the request must be answered
 * @param versions converts objects between versions
 * @param fence takes the condition under which the write may be stored
 * @param ownership completes the object for those outside of the server
 */
public record AdmissionRequest(
    UserInfo user,
    Verb verb,
    boolean dryRun,
    MapNode options,
    Consumer<String> warnings,
    AuditAnnotations annotations,
    Deadline deadline,
    ObjectVersions versions,
    AdmissionFence fence,
    FieldOwnership ownership) {

  /** An update without options, deadline and conversions. */
  public static AdmissionRequest of(UserInfo user, boolean dryRun, Consumer<String> warnings) {
    return new AdmissionRequest(
        user,
        Verb.UPDATE,
        dryRun,
        MapNode.EMPTY,
        warnings,
        AuditAnnotations.NONE,
        Deadline.none(),
        ObjectVersions.NONE,
        new AdmissionFence(),
        FieldOwnership.NONE);
  }

  /** Returns this request with another verb. */
  public AdmissionRequest asked(Verb other) {
    return new AdmissionRequest(
        user, other, dryRun, options, warnings, annotations, deadline, versions, fence, ownership);
  }

  /** Returns this request with another ownership. */
  AdmissionRequest owning(FieldOwnership next) {
    return new AdmissionRequest(
        user, verb, dryRun, options, warnings, annotations, deadline, versions, fence, next);
  }
}
