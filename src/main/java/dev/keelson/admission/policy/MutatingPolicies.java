package dev.keelson.admission.policy;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;

/**
 * The plugin MutatingAdmissionPolicy. Without bound policies a request costs a few reads of
 * volatile fields.
 */
public final class MutatingPolicies implements Admission {

  private final PolicyContext context;

  /** The plugin, for the policies of the context's store. */
  public MutatingPolicies(PolicyContext context) {
    this.context = context;
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return operation != Verb.DELETE && PolicyContext.isSubject(resource);
  }

  @Override
  public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    PolicySet.Candidates candidates =
        context.store().mutating().candidates(call, context.catalog().current());
    if (candidates.hooks().isEmpty()) {
      return object;
    }
    ApiObject whole = call.recorded(object);
    return new MutatingRun(context, call.withObject(whole), candidates.equivalents())
        .run(candidates.hooks(), whole);
  }
}
