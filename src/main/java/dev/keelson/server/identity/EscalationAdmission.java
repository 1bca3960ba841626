package dev.keelson.server.identity;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.Verb;
import dev.keelson.authz.rbac.EscalationCheck;
import dev.keelson.object.ApiObject;
import java.util.Set;

/**
 * Runs the escalation check for roles and bindings before validation. Passes all writes on to the
 * rest of the chain.
 */
public final class EscalationAdmission implements Admission {

  private static final Set<String> RESOURCES =
      Set.of("clusterroles", "roles", "clusterrolebindings", "rolebindings");

  private final EscalationCheck check;
  private final Admission rest;

  public EscalationAdmission(EscalationCheck check, Admission rest) {
    this.check = check;
    this.rest = rest;
  }

  @Override
  public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    // the registry checks what is to be stored, after every mutation
    ApiObject next = rest.mutate(call, object);
    if (call.definition().gvr().group().equals(EscalationCheck.GROUP)
        && RESOURCES.contains(call.definition().gvr().resource())) {
      String name = call.request().verb() == Verb.CREATE ? "" : call.name();
      check.check(call.definition().gvr().resource(), name, call.user(), next, call.current());
    }
    return next;
  }

  @Override
  public void mutateDelete(AdmissionAttributes call) {
    rest.mutateDelete(call);
  }

  @Override
  public void validate(AdmissionAttributes call) {
    rest.validate(call);
  }
}
