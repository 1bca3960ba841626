package dev.keelson.admission.webhook;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Verb;
import dev.keelson.schema.ResourceDefinition;
import java.time.Duration;
import java.util.Optional;

/** Which writes a webhook is called for. Safe for use by several threads. */
public interface WebhookFilter {

  /**
   * The resource that the rules of the webhook match, or an equivalent one of it.
   *
   * @param kind the kind of what is admitted
   */
  record Target(GroupVersionResource resource, GroupVersionKind kind) {}

  /** Receives what the evaluation of match conditions is measured by. */
  @FunctionalInterface
  interface Evaluations {
    /**
     * The match conditions of a webhook were evaluated.
     *
     * @param errors the number of those that cannot be
     */
    void evaluated(int errors, Duration took);
  }

  /** What the match conditions say. */
  enum Verdict {
    /** The webhook is called. */
    CALL,
    /** The selectors do not match. */
    UNSELECTED,
    /** A match condition is false, or failed for a webhook that ignores failures. */
    EXCLUDED
  }

  /**
   * Whether the rules match an operation on a resource; depends on nothing but the catalog.
   *
   * @param subresource the subresource, or empty
   */
  Optional<Target> target(Verb operation, ResourceDefinition definition, String subresource);

  /**
   * Whether the selectors and match conditions select a write that the rules match.
   *
   * @param evaluations receives the evaluation of match conditions, if there are any
   * @throws dev.keelson.api.ApiException if the namespace cannot be found, or of reason Forbidden
   *     if a condition fails
   */
  Verdict select(AdmissionAttributes call, Target target, Evaluations evaluations);
}
