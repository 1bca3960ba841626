package dev.keelson.server.registry;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Names;
import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.Decision;
import dev.keelson.authz.ForbiddenError;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.UserInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Requires rights on parts of the status of ResourceClaims, beside that on {@code
 * resourceclaims/status}: {@code resourceclaims/binding} for the allocation and its consumers, and
 * {@code resourceclaims/driver} for the devices of each driver (KEP-4817; source: {@code
 * AuthorizedForBinding} and {@code AuthorizedForDeviceStatus} of kube-apiserver). Passes all writes
 * on to the rest of the chain.
 */
public final class DeviceStatusRights implements Admission {

  private static final GroupResource CLAIMS =
      new GroupResource("resource.k8s.io", "resourceclaims");

  /** The prefix of verbs on the claims of the node that a service account is bound to. */
  private static final String ASSOCIATED = "associated-node:";

  private static final String ARBITRARY = "arbitrary-node:";
  private static final String ACCOUNT = "system:serviceaccount:";
  private static final String NODE_NAME = "authentication.kubernetes.io/node-name";

  private final Authorizer authorizer;
  private final Admission rest;

  /**
   * @param authorizer decides on the two subresources, which only rules know
   */
  public DeviceStatusRights(Authorizer authorizer, Admission rest) {
    this.authorizer = authorizer;
    this.rest = rest;
  }

  /** A device by which statuses are compared. */
  private record Device(String driver, String pool, String device, String share) {
    static Device of(MapNode status) {
      return new Device(
          status.text("driver"),
          status.text("pool"),
          status.text("device"),
          status.text("shareID"));
    }
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
    ApiObject next = call.object();
    ApiObject current = call.current();
    if (next != null
        && current != null
        && call.subresource().equals("status")
        && call.definition().groupResource().equals(CLAIMS)) {
      check(call, next.root().map("status"), current.root().map("status"));
    }
    rest.validate(call);
  }

  private void check(AdmissionAttributes call, MapNode next, MapNode before) {
    List<FieldCause> causes = new ArrayList<>();
    if (!next.map("allocation").equals(before.map("allocation"))
        || !next.items("reservedFor").equals(before.items("reservedFor"))) {
      binding(call, causes);
    }
    SortedSet<String> drivers = changedDrivers(next, before);
    if (!drivers.isEmpty()) {
      List<String> verbs = verbs(call, next.map("allocation"));
      drivers.forEach(driver -> driver(call, driver, verbs, causes));
    }
    if (!causes.isEmpty()) {
      throw ApiException.invalid(call.definition().gvk(), call.name(), causes);
    }
  }

  private void binding(AdmissionAttributes call, List<FieldCause> causes) {
    String verb = call.request().verb().word();
    String refusal = refusal(asked(call, verb, "binding", "", ""));
    if (!refusal.isEmpty()) {
      causes.add(
          FieldCause.forbidden(
              "status",
              "changing status.allocation or status.reservedFor requires"
                  + " resource=\"resourceclaims/binding\", verb=\"%s\" permission: %s"
                      .formatted(verb, refusal)));
    }
  }

  private void driver(
      AdmissionAttributes call, String driver, List<String> verbs, List<FieldCause> causes) {
    String first = "";
    for (String verb : verbs) {
      String refusal = refusal(asked(call, verb, "driver", call.namespace(), driver));
      if (refusal.isEmpty()) {
        return;
      }
      first = first.isEmpty() ? refusal : first;
    }
    causes.add(
        FieldCause.forbidden(
            "status.devices",
            "changing status.devices requires resource=\"resourceclaims/driver\", verb=\"[%s]\""
                    .formatted(String.join(" ", verbs))
                + " permission: "
                + first));
  }

  /** The verbs of which one suffices. */
  private static List<String> verbs(AdmissionAttributes call, MapNode allocation) {
    String verb = call.request().verb().word();
    return isOnNode(call.user(), node(allocation))
        ? List.of(ASSOCIATED + verb, ARBITRARY + verb)
        : List.of(ARBITRARY + verb);
  }

  /**
   * The drivers of devices whose status was added, changed or removed. The status of a device goes
   * with its allocation, which those may take back who may give it.
   */
  private static SortedSet<String> changedDrivers(MapNode next, MapNode before) {
    Map<Device, MapNode> old = new HashMap<>();
    before.maps("devices").forEach(status -> old.put(Device.of(status), status));
    Set<Device> deallocated = allocated(before);
    deallocated.removeAll(allocated(next));
    old.keySet().removeAll(deallocated);
    SortedSet<String> drivers = new TreeSet<>();
    for (MapNode status : next.maps("devices")) {
      Device device = Device.of(status);
      if (!status.equals(old.remove(device))) {
        drivers.add(device.driver);
      }
    }
    old.keySet().forEach(device -> drivers.add(device.driver));
    return drivers;
  }

  private static Set<Device> allocated(MapNode status) {
    Set<Device> devices = new HashSet<>();
    status
        .map("allocation")
        .map("devices")
        .maps("results")
        .forEach(result -> devices.add(Device.of(result)));
    return devices;
  }

  /** The only node of an allocation; empty if it may have several. */
  private static String node(MapNode allocation) {
    List<MapNode> terms = allocation.map("nodeSelector").maps("nodeSelectorTerms");
    if (terms.size() != 1 || !terms.getFirst().items("matchExpressions").isEmpty()) {
      return "";
    }
    List<MapNode> fields = terms.getFirst().maps("matchFields");
    if (fields.size() != 1) {
      return "";
    }
    MapNode field = fields.getFirst();
    List<Node> values = field.items("values");
    return field.text("key").equals("metadata.name")
            && field.text("operator").equals("In")
            && values.size() == 1
            && values.getFirst() instanceof Node.Text(String name)
        ? name
        : "";
  }

  /** Whether the user is a service account whose token is bound to the node. */
  private static boolean isOnNode(UserInfo user, String node) {
    return !node.isEmpty()
        && isAccount(user.name())
        && user.extra().getOrDefault(NODE_NAME, List.of()).equals(List.of(node))
        && Names.dnsSubdomain(node).isEmpty();
  }

  private static boolean isAccount(String name) {
    if (!name.startsWith(ACCOUNT)) {
      return false;
    }
    String[] parts = name.substring(ACCOUNT.length()).split(":", -1);
    return parts.length == 2
        && Names.dnsLabel(parts[0]).isEmpty()
        && Names.dnsSubdomain(parts[1]).isEmpty();
  }

  private static Attributes asked(
      AdmissionAttributes call, String verb, String subresource, String namespace, String name) {
    GroupVersionResource claims = call.definition().gvr();
    return new Attributes(
        call.user(),
        verb,
        new Attributes.Resource(
            claims.group(),
            claims.version(),
            claims.resource(),
            subresource,
            namespace,
            name,
            "",
            ""));
  }

  /** Why a request is refused; empty if it is allowed. */
  private String refusal(Attributes asked) {
    Decision decision = authorizer.authorize(asked);
    if (decision.allowed()) {
      return "";
    }
    String reason = decision.reason();
    String error = decision.error();
    return ForbiddenError.because(
            asked, error.isEmpty() || reason.isEmpty() ? error + reason : error + ": " + reason)
        .text();
  }
}
