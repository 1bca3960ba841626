package dev.keelson.registry;

import dev.keelson.api.Verb;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.AuditAnnotations;
import dev.keelson.request.Deadline;

/**
 * What admission of a write knows of its request beside the user.
 *
 * @param verb the verb of the request; a patch is PATCH
 * @param admitted whether the write passes admission; false for the second step of a request whose
 *     first passed it, such as the deletion of an evicted pod
 * @param options the fields of the options object as the client sent them: those of CreateOptions,
 *     UpdateOptions, PatchOptions or DeleteOptions
 * @param annotations takes audit annotations
 * @param deadline when the request must be answered
 */
public record AdmissionScope(
    Verb verb, boolean admitted, MapNode options, AuditAnnotations annotations, Deadline deadline) {

  /** The scope of a write that the server itself makes. */
  public static final AdmissionScope SERVER =
      new AdmissionScope(Verb.UPDATE, true, MapNode.EMPTY, AuditAnnotations.NONE, Deadline.none());
}
