package dev.keelson.admission.policy;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;

/**
 * The plugin ValidatingAdmissionPolicy. Without bound policies a request costs a few reads of
 * volatile fields.
 */
public final class ValidatingPolicies implements Admission {

  private final PolicyContext context;

  /** The plugin, for the policies of the context's store. */
  public ValidatingPolicies(PolicyContext context) {
    this.context = context;
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return PolicyContext.isSubject(resource);
  }

  @Override
  public void validate(AdmissionAttributes call) {
    PolicySet.Candidates candidates =
        context.store().validating().candidates(call, context.catalog().current());
    if (!candidates.hooks().isEmpty()) {
      new ValidatingRun(context, call, candidates.equivalents()).run(candidates.hooks());
    }
  }
}
