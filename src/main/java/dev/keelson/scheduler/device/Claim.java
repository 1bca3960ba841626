package dev.keelson.scheduler.device;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.fit.NodeSelection;
import dev.keelson.controller.workload.Owner;
import dev.keelson.controller.workload.Times;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Quantity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
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
 * @param extended whether the scheduler made it for the extended resources of the pod
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
    Set<String> consumers,
    boolean extended) {

  static final GroupVersionResource RESOURCE =
      new GroupVersion("resource.k8s.io", "v1").resource("resourceclaims");

  static final InformerType<Claim> TYPE = new InformerType<>(RESOURCE, Claim::of, List.of());

  /** The annotation of a claim for extended resources, which is true. */
  static final String EXTENDED = "resource.kubernetes.io/extended-resource-claim";

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
   * @param preparation what drivers have to do before a pod that has them is bound
   */
  record Allocation(
      Set<DeviceId> devices,
      Map<DeviceId, Map<String, Quantity>> consumed,
      @Nullable NodeSelection nodes,
      Preparation preparation) {
    Allocation {
      devices = Set.copyOf(devices);
      consumed = Map.copyOf(consumed);
    }

    /**
     * The allocation that a status tells.
     *
     * @param claim the name of the claim
     */
    static Allocation of(MapNode status, String claim) {
      MapNode allocation = status.map("allocation");
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
          allocation.has("nodeSelector") ? NodeSelection.of(allocation.map("nodeSelector")) : null,
          Preparation.of(status, claim));
    }
  }

  /**
   * How far drivers are with the devices of a claim (source: {@code isClaimReadyForBinding} of
   * kube-scheduler's plug-in DynamicResources).
   *
   * @param needed whether there is something to wait for
   * @param done whether a pod that has the devices can be bound
   * @param failure why it never will; empty if nothing has failed
   * @param since when the devices were allocated; null if that is not told
   */
  record Preparation(boolean needed, boolean done, String failure, @Nullable Instant since) {

    private static final Preparation NONE = new Preparation(false, true, "", null);

    static Preparation of(MapNode status, String claim) {
      MapNode allocation = status.map("allocation");
      boolean needed = false;
      boolean done = true;
      String failure = "";
      for (MapNode result : allocation.map("devices").maps("results")) {
        Device.Binding binding = Device.Binding.of(result);
        if (!binding.conditions().isEmpty()) {
          needed = true;
          List<MapNode> told = conditions(status, result);
          failure = failure.isEmpty() ? failure(binding, told, claim) : failure;
          done &= binding.conditions().stream().allMatch(type -> isTrue(told, type));
        }
      }
      if (!needed) {
        return NONE;
      }
      String since = allocation.text("allocationTimestamp");
      return new Preparation(
          true, done && failure.isEmpty(), failure, since.isEmpty() ? null : Times.instant(since));
    }

    private static List<MapNode> conditions(MapNode status, MapNode result) {
      return status.maps("devices").stream()
          .filter(
              device ->
                  Stream.of("driver", "pool", "device")
                      .allMatch(key -> device.text(key).equals(result.text(key))))
          .findFirst()
          .map(device -> device.maps("conditions"))
          .orElse(List.of());
    }

    private static boolean isTrue(List<MapNode> conditions, String type) {
      return conditions.stream()
          .anyMatch(each -> each.text("type").equals(type) && each.text("status").equals("True"));
    }

    private static String failure(Device.Binding binding, List<MapNode> told, String claim) {
      for (MapNode condition : told) {
        if (binding.failures().contains(condition.text("type"))
            && condition.text("status").equals("True")) {
          return "claim %s binding failed: reason=%s, message=\"%s\""
              .formatted(claim, condition.text("reason"), condition.text("message"));
        }
      }
      return "";
    }

    /** Whether it has failed, or takes longer than it may. */
    boolean isLost(Instant now, Duration most) {
      return !failure.isEmpty() || (!done && since != null && since.plus(most).isBefore(now));
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
        status.has("allocation") ? Allocation.of(status, claim.meta().name()) : null,
        consumers,
        "true".equals(claim.meta().annotations().get(EXTENDED)));
  }

  /**
   * A claim for extended resources that is stored when a node is known. Its name is not one that a
   * stored claim could have.
   */
  static Claim ofExtended(String namespace, List<Request> requests) {
    return new Claim(
        new ObjectName(namespace, "<extended-resources>"),
        UUID.randomUUID().toString(),
        0,
        "",
        false,
        requests,
        List.of(),
        List.of(),
        null,
        Set.of(),
        true);
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
