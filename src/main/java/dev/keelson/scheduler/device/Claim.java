package dev.keelson.scheduler.device;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.fit.NodeSelection;
import dev.keelson.controller.workload.Owner;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the scheduler keeps of a ResourceClaim.
 *
 * @param version the resourceVersion, which rises
 * @param podUid the uid of the pod that owns it; empty if none does
 * @param constraints on the devices together
 * @param configs the configurations for drivers
 * @param allocation the devices that it has; null if it has none
 * @param consumers the uids of the pods that have reserved it
 */
record Claim(
    ObjectName name,
    String uid,
    long version,
    String podUid,
    boolean deleting,
    List<Request> requests,
    List<Constraint> constraints,
    List<MapNode> configs,
    @Nullable Allocation allocation,
    Set<String> consumers) {

  static final GroupVersionResource RESOURCE =
      new GroupVersion("resource.k8s.io", "v1").resource("resourceclaims");

  static final InformerType<Claim> TYPE = new InformerType<>(RESOURCE, Claim::of, List.of());

  /** Of {@code status.reservedFor}. */
  private static final int MOST_CONSUMERS = 256;

  /**
   * A constraint on an attribute of all devices.
   *
   * @param requests the names of requests to which it applies; empty for all
   * @param distinct whether the values must differ; they must be the same otherwise
   */
  record Constraint(Set<String> requests, String attribute, boolean distinct) {
    Constraint {
      requests = Set.copyOf(requests);
    }

    boolean appliesTo(Request request, Request.Choice choice) {
      return requests.isEmpty()
          || requests.contains(request.name())
          || requests.contains(choice.name());
    }
  }

  /**
   * The devices of a claim.
   *
   * @param devices those that nobody else can have, unless they are shared
   * @param consumed what is taken of the capacity of shared ones, by the names of the capacities
   * @param nodes where they can be used; null for everywhere
   */
  record Allocation(
      Set<DeviceId> devices,
      Map<DeviceId, Map<String, Quantity>> consumed,
      @Nullable NodeSelection nodes) {
    Allocation {
      devices = Set.copyOf(devices);
      consumed = Map.copyOf(consumed);
    }

    static Allocation of(MapNode allocation) {
      Set<DeviceId> devices = new HashSet<>();
      Map<DeviceId, Map<String, Quantity>> consumed = new HashMap<>();
      for (MapNode result : allocation.map("devices").maps("results")) {
        if (!(result.get("adminAccess") instanceof Node.Bool is && is.value())) {
          DeviceId device =
              new DeviceId(result.text("driver"), result.text("pool"), result.text("device"));
          devices.add(device);
          if (result.has("consumedCapacity")) {
            consumed.merge(
                device, Request.quantities(result.map("consumedCapacity")), SharedCapacity::sum);
          }
        }
      }
      return new Allocation(
          devices,
          consumed,
          allocation.has("nodeSelector") ? NodeSelection.of(allocation.map("nodeSelector")) : null);
    }
  }

  Claim {
    requests = List.copyOf(requests);
    constraints = List.copyOf(constraints);
    configs = List.copyOf(configs);
    consumers = Set.copyOf(consumers);
  }

  static Claim of(ApiObject claim) {
    MapNode devices = claim.root().map("spec").map("devices");
    MapNode status = claim.root().map("status");
    Owner owner = Owner.of(claim.meta());
    Set<String> consumers = new HashSet<>();
    status.maps("reservedFor").forEach(consumer -> consumers.add(consumer.text("uid")));
    String version = claim.meta().resourceVersion();
    return new Claim(
        ObjectName.of(claim.meta()),
        claim.meta().uid(),
        version.isEmpty() ? 0 : Long.parseLong(version),
        owner == null || !owner.kind().equals("Pod") ? "" : owner.uid(),
        claim.meta().deleting(),
        devices.maps("requests").stream().map(Request::of).toList(),
        constraints(devices),
        devices.maps("config"),
        status.has("allocation") ? Allocation.of(status.map("allocation")) : null,
        consumers);
  }

  private static List<Constraint> constraints(MapNode devices) {
    List<Constraint> constraints = new ArrayList<>();
    for (MapNode constraint : devices.maps("constraints")) {
      boolean distinct = constraint.has("distinctAttribute");
      constraints.add(
          new Constraint(
              texts(constraint.items("requests")),
              constraint.text(distinct ? "distinctAttribute" : "matchAttribute"),
              distinct));
    }
    return constraints;
  }

  static Set<String> texts(List<Node> items) {
    Set<String> texts = new HashSet<>();
    for (Node item : items) {
      if (item instanceof Node.Text text) {
        texts.add(text.value());
      }
    }
    return texts;
  }

  /** Whether a pod can reserve it, or has. */
  boolean isFor(String uid) {
    return consumers.contains(uid) || consumers.size() < MOST_CONSUMERS;
  }

  /** Whether nobody but a pod uses it. */
  boolean isIdle(String uid) {
    return consumers.isEmpty() || consumers.equals(Set.of(uid));
  }
}
