package dev.keelson.server.registry;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;

/**
 * Rejects claims with admin access to devices, and their allocations, in namespaces without the
 * required label (KEP-5018). Passes all writes on to the rest of the chain.
 */
public final class DeviceAdminAccess implements Admission {

  private static final String LABEL = "resource.kubernetes.io/admin-access";
  private static final GroupVersionResource NAMESPACES =
      GroupVersion.CORE_V1.resource("namespaces");

  private final ClusterObjects objects;
  private final Admission rest;

  /** Creates the check; {@code objects} supplies the namespaces. */
  public DeviceAdminAccess(ClusterObjects objects, Admission rest) {
    this.objects = objects;
    this.rest = rest;
  }

  @Override
  public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    return rest.mutate(call, object);
  }

  @Override
  public void mutateDelete(AdmissionAttributes call) {
    rest.mutateDelete(call);
  }

  @Override
  public void validate(AdmissionAttributes call) {
    ApiObject object = call.object();
    GroupVersionResource resource = call.definition().gvr();
    if (object != null && resource.group().equals("resource.k8s.io")) {
      switch (resource.resource()) {
        case "resourceclaims" -> claim(call, object);
        case "resourceclaimtemplates" -> spec(call, object.root().map("spec").map("spec"));
        default -> {}
      }
    }
    rest.validate(call);
  }

  private void claim(AdmissionAttributes call, ApiObject object) {
    if (call.subresource().equals("status")) {
      ApiObject current = call.current();
      if (current == null || granted(current) < 0) {
        check(call, granted(object), "status.allocation.devices.results");
      }
    } else {
      spec(call, object.root().map("spec"));
    }
  }

  /** The spec is immutable, so only creates are checked. */
  private void spec(AdmissionAttributes call, MapNode spec) {
    if (call.current() == null) {
      List<Node> requests = spec.map("devices").items("requests");
      int requested = -1;
      for (int i = 0; i < requests.size() && requested < 0; i++) {
        requested = isSet(requests.get(i), "exactly") ? i : -1;
      }
      check(call, requested, "spec.devices.requests");
    }
  }

  /** The index of the first result with administrative access, or -1. */
  private static int granted(ApiObject claim) {
    List<Node> results =
        claim.root().map("status").map("allocation").map("devices").items("results");
    for (int i = 0; i < results.size(); i++) {
      if (isSet(results.get(i), "")) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isSet(Node element, String below) {
    return element instanceof MapNode map
        && (below.isEmpty() ? map : map.map(below)).get("adminAccess") == Node.Bool.TRUE;
  }

  private void check(AdmissionAttributes call, int index, String list) {
    if (index < 0 || isAllowed(call.namespace())) {
      return;
    }
    throw ApiException.invalid(
        call.definition().gvk(),
        call.name(),
        List.of(
            new FieldCause(
                "FieldValueForbidden",
                "Forbidden: admin access to devices requires the `"
                    + LABEL
                    + ": true` label on the containing namespace",
                list + "[" + index + "].adminAccess")));
  }

  private boolean isAllowed(String namespace) {
    return objects
        .find(NAMESPACES, "", namespace)
        .filter(found -> "true".equals(found.meta().labels().get(LABEL)))
        .isPresent();
  }
}
