package dev.keelson.admission.limits;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * LimitRanger: sets the default requests and limits of the namespace's LimitRanges on the
 * containers of a new pod, and rejects pods and PersistentVolumeClaims outside of their limits
 * (source: Kubernetes' {@code plugin/pkg/admission/limitranger}). Pods are checked when they are
 * created or resized, claims also when they are updated. Objects that are being deleted are not.
 */
public final class LimitRanger implements Admission {

  private static final GroupResource PODS = new GroupResource("", "pods");
  private static final GroupResource CLAIMS = new GroupResource("", "persistentvolumeclaims");

  private final Function<String, ? extends List<ApiObject>> limitRanges;

  /**
   * Creates the plugin.
   *
   * @param limitRanges gives the LimitRanges of a namespace, as of the write; may block
   */
  public LimitRanger(Function<String, ? extends List<ApiObject>> limitRanges) {
    this.limitRanges = limitRanges;
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return isPod(operation, resource, subresource) || isClaim(operation, resource, subresource);
  }

  @Override
  public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    if (!call.concerns("", "pods") || !isLimited(call)) {
      return object;
    }
    ApiObject next = object;
    for (ApiObject limitRange : limitRanges.apply(call.namespace())) {
      next = ContainerDefaults.of(limitRange).applyTo(next);
    }
    return next;
  }

  @Override
  public void validate(AdmissionAttributes call) {
    ApiObject object = call.object();
    boolean pod = call.concerns("", "pods");
    if (object == null || !isLimited(call)) {
      return;
    }
    for (ApiObject limitRange : limitRanges.apply(call.namespace())) {
      List<String> violations =
          pod
              ? LimitCheck.violationsOfPod(limitRange, object)
              : LimitCheck.violationsOfClaim(limitRange, object);
      if (!violations.isEmpty()) {
        throw call.forbidden(joined(violations));
      }
    }
  }

  /** Several errors in the form of Kubernetes' aggregates: each once, in brackets. */
  private static String joined(List<String> violations) {
    Set<String> distinct = new LinkedHashSet<>(violations);
    String text = String.join(", ", distinct);
    return distinct.size() == 1 ? text : "[" + text + "]";
  }

  private static boolean isPod(Verb operation, GroupResource resource, String subresource) {
    return resource.equals(PODS)
        && (subresource.isEmpty()
            ? operation == Verb.CREATE
            : subresource.equals("resize") && operation == Verb.UPDATE);
  }

  private static boolean isClaim(Verb operation, GroupResource resource, String subresource) {
    return resource.equals(CLAIMS)
        && subresource.isEmpty()
        && (operation == Verb.CREATE || operation == Verb.UPDATE);
  }

  private static boolean isLimited(AdmissionAttributes call) {
    ApiObject current = call.current();
    return current == null || !current.meta().deleting();
  }
}
