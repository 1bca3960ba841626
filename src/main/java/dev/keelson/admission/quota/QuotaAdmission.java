package dev.keelson.admission.quota;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.Reason;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.quota.Evaluator;
import dev.keelson.quota.Evaluators;
import dev.keelson.quota.UsageFences;
import java.time.Duration;
import java.util.List;

/**
 * ResourceQuota: the last plug-in. Rejects a write that exceeds a quota of its namespace, and
 * charges the others to the quotas' status before the object is stored. A dry run is only checked.
 */
public final class QuotaAdmission implements Admission {

  /** As in kube-apiserver. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final GroupResource NAMESPACES =
      GroupVersion.CORE_V1.resource("namespaces").groupResource();

  private final QuotaAccess access;
  private final Evaluators evaluators;
  private final List<LimitedResource> limited;
  private final UsageFences fences;
  private final Charges charges;

  /**
   * Creates the plugin.
   *
   * @param limited the types that need a covering quota
   */
  public QuotaAdmission(
      QuotaAccess access,
      UsageFences fences,
      Evaluators evaluators,
      List<LimitedResource> limited) {
    this(access, fences, evaluators, limited, PATIENCE);
  }

  QuotaAdmission(
      QuotaAccess access,
      UsageFences fences,
      Evaluators evaluators,
      List<LimitedResource> limited,
      Duration patience) {
    this.access = access;
    this.fences = fences;
    this.evaluators = evaluators;
    this.limited = List.copyOf(limited);
    this.charges = new Charges(access, patience);
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    if (resource.equals(NAMESPACES) || !Evaluators.isLimited(resource)) {
      return false;
    }
    return operation == Verb.CREATE
        ? subresource.isEmpty()
        : operation == Verb.UPDATE && !evaluators.of(resource).countsOnly();
  }

  @Override
  public void validate(AdmissionAttributes call) {
    ApiObject object = call.object();
    if (object == null
        || call.namespace().isEmpty()
        || (limited.isEmpty() && access.cached(call.namespace()).isEmpty())) {
      return;
    }
    Evaluator evaluator = evaluators.of(call.definition().groupResource());
    if (!evaluator.handles(call.operation(), call.subresource(), object, call.current())) {
      return;
    }
    QuotaRequest request = new QuotaRequest(call, object, evaluator, limited);
    long fence = fences.known(call.namespace());
    try {
      long charged = charges.admit(request);
      if (charged != Charges.UNCHARGED) {
        call.request()
            .fence()
            .set(
                new ChargedFence(
                    fences, call.namespace(), fence, charged, () -> charges.admit(request)));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(Reason.TIMEOUT, "the request was interrupted");
    }
  }
}
