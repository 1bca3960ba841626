package dev.keelson.quota;

import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Quantity;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * ResourceClaims and the devices they may get, by device class and by the extended resource of the
 * class (KEP-4381, KEP-5004).
 */
final class DeviceClaimEvaluator implements Evaluator {

  static final String OF_CLASS = ".deviceclass.resource.k8s.io/devices";

  private static final GroupResource CLAIMS =
      new GroupResource("resource.k8s.io", "resourceclaims");
  private static final String COUNT = Evaluator.countName(CLAIMS);
  private static final String REQUESTS = "requests.";
  private static final String IMPLICIT = REQUESTS + PodEvaluator.DEVICE_CLASS_PREFIX;
  private static final String FOR_EXTENDED_RESOURCE =
      "resource.kubernetes.io/extended-resource-claim";

  /** The most devices that an allocation has (source: {@code AllocationResultsMaxSize}). */
  private static final long MOST = 32;

  private final DeviceClasses classes;
  private final PodEvaluator pods;

  DeviceClaimEvaluator(DeviceClasses classes, PodEvaluator pods) {
    this.classes = classes;
    this.pods = pods;
  }

  @Override
  public GroupResource resource() {
    return CLAIMS;
  }

  @Override
  public boolean handles(
      Verb operation, String subresource, @Nullable ApiObject object, @Nullable ApiObject old) {
    return subresource.isEmpty() && (operation == Verb.CREATE || operation == Verb.UPDATE);
  }

  @Override
  public List<String> matchingResources(Collection<String> names) {
    return names.stream().filter(this::counts).toList();
  }

  private boolean counts(String name) {
    if (name.equals(COUNT) || name.endsWith(OF_CLASS)) {
      return true;
    }
    if (name.startsWith(IMPLICIT)) {
      String deviceClass = name.substring(IMPLICIT.length());
      return classes.extendedResource(deviceClass).isPresent()
          || classes.isDeviceResource(name.substring(REQUESTS.length()));
    }
    return PodEvaluator.isExtendedQuotaName(name)
        && classes.isDeviceResource(name.substring(REQUESTS.length()));
  }

  @Override
  public ResourceList usage(ApiObject claim) {
    NavigableMap<String, Quantity> amounts = new TreeMap<>();
    for (MapNode request : claim.root().map("spec").map("devices").maps("requests")) {
      Map<String, Long> devices = new HashMap<>();
      for (MapNode alternative : request.maps("firstAvailable")) {
        devices.merge(alternative.text("deviceClassName"), devices(alternative), Math::max);
      }
      if (devices.isEmpty() && request.get("exactly") instanceof MapNode exactly) {
        devices.put(exactly.text("deviceClassName"), devices(exactly));
      }
      devices.forEach(
          (name, number) -> amounts.merge(name + OF_CLASS, Quantity.of(number), Quantity::plus));
    }
    addExtendedResources(amounts, claim);
    amounts.put(COUNT, Quantity.of(1));
    return new ResourceList(amounts);
  }

  /** The devices of a request; of all that match, as many as an allocation can have. */
  private static long devices(MapNode request) {
    return switch (request.text("allocationMode")) {
      case "ExactCount" -> request.get("count") instanceof Node.Int count ? count.value() : 0;
      case "All" -> MOST;
      default -> 0;
    };
  }

  /** Devices also count as extended resources, unless the pod of the claim counts them already. */
  private void addExtendedResources(NavigableMap<String, Quantity> amounts, ApiObject claim) {
    if (amounts.isEmpty()) {
      return;
    }
    NavigableMap<String, Quantity> extended = new TreeMap<>();
    amounts.forEach(
        (name, amount) -> {
          String deviceClass = name.substring(0, name.length() - OF_CLASS.length());
          if (!deviceClass.isEmpty()) {
            extended.put(IMPLICIT + deviceClass, amount);
            classes
                .extendedResource(deviceClass)
                .ifPresent(resource -> extended.put(REQUESTS + resource, amount));
          }
        });
    ResourceList ofPod = ownerUsage(claim).orElse(ResourceList.EMPTY);
    extended.forEach(
        (name, amount) -> {
          Quantity counted = ofPod.get(name);
          Quantity left = counted == null ? amount : amount.minus(counted);
          if (left.signum() > 0) {
            amounts.put(name, left);
          }
        });
  }

  /** The usage of the pod whose extended resources the claim stands for. */
  private Optional<ResourceList> ownerUsage(ApiObject claim) {
    if (!claim.meta().annotations().getOrDefault(FOR_EXTENDED_RESOURCE, "").equals("true")) {
      return Optional.empty();
    }
    return controller(claim)
        .flatMap(
            owner ->
                classes
                    .pod(claim.meta().namespace(), owner.text("name"))
                    .filter(pod -> pod.meta().uid().equals(owner.text("uid"))))
        .filter(pod -> isClaimOf(claim, pod))
        .map(pods::usage);
  }

  private boolean isClaimOf(ApiObject claim, ApiObject pod) {
    if (pod.root().map("status").get("extendedResourceClaimStatus") instanceof MapNode status) {
      return status.text("resourceClaimName").equals(claim.meta().name());
    }
    // only the first claim of a pod stands for its extended resources
    String mine = claim.meta().creationTimestamp() + "/" + claim.meta().name();
    return classes.claims(claim.meta().namespace()).stream()
        .filter(other -> isForPod(other, pod.meta().uid()))
        .map(other -> other.meta().creationTimestamp() + "/" + other.meta().name())
        .noneMatch(other -> other.compareTo(mine) < 0);
  }

  private static boolean isForPod(ApiObject claim, String uid) {
    return claim.meta().annotations().getOrDefault(FOR_EXTENDED_RESOURCE, "").equals("true")
        && controller(claim).filter(owner -> owner.text("uid").equals(uid)).isPresent();
  }

  private static Optional<MapNode> controller(ApiObject claim) {
    return claim.meta().node().maps("ownerReferences").stream()
        .filter(owner -> owner.get("controller") == Node.Bool.TRUE)
        .filter(owner -> owner.text("kind").equals("Pod") && owner.text("apiVersion").equals("v1"))
        .findFirst();
  }
}
