package dev.keelson.controller.service;

import dev.keelson.client.ResourceClient;
import dev.keelson.controller.service.NetworkChanges.Kind;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.value.Cidr;
import dev.keelson.value.IpAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Sets the finalizer and the condition Ready of a ServiceCIDR. One that is being deleted keeps the
 * finalizer while it has addresses that no other one has (source: kube-controller-manager's
 * service-cidr-controller).
 */
final class ServiceCidrReconciler {

  /** How long after the delete the other servers may allocate addresses from the range. */
  static final Duration GRACE = Duration.ofSeconds(10);

  private static final String IN_USE =
      "There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new"
          + " ServiceCIDR";

  private final ResourceClient client;
  private final NetworkState state;
  private final InstantSource clock;

  ServiceCidrReconciler(ResourceClient client, NetworkState state, InstantSource clock) {
    this.client = client;
    this.state = state;
    this.clock = clock;
  }

  /**
   * Reconciles one ServiceCIDR.
   *
   * @return when to reconcile it again, at the earliest; zero if a change will say so
   */
  Duration reconcile(String name) {
    Optional<ApiObject> found = client.get(Kind.SERVICE_CIDRS.resource(), "", name);
    if (found.isEmpty()) {
      return Duration.ZERO;
    }
    ApiObject object = found.get();
    if (!object.meta().deleting()) {
      if (change(name, ServiceCidrReconciler::held)) {
        setReady(name, "True", "", "Kubernetes Service CIDR is ready");
      }
      return Duration.ZERO;
    }
    if (!object.meta().finalizers().contains(ServiceCidrObject.FINALIZER)) {
      return Duration.ZERO;
    }
    if (inUse(name, ServiceCidrObject.ranges(object))) {
      setReady(name, "False", "Terminating", IN_USE);
      return Duration.ZERO;
    }
    Duration left = GRACE.minus(since(object.meta().deletionTimestamp()));
    if (left.isPositive()) {
      return left;
    }
    boolean unused = change(name, ServiceCidrReconciler::released);
    return Duration.ZERO;
  }

  private boolean change(String name, UnaryOperator<ApiObject> edit) {
    return client.change(Kind.SERVICE_CIDRS.resource(), "", name, edit).isPresent();
  }

  /** Sets the condition, unless it says so already in other words. */
  private void setReady(String name, String status, String reason, String message) {
    Optional<ApiObject> unused =
        client.changeStatus(
            Kind.SERVICE_CIDRS.resource(),
            "",
            name,
            stored ->
                ServiceCidrObject.ready(stored).text("status").equals(status)
                        || stored.meta().deleting() == status.equals("True")
                    ? stored
                    : ServiceCidrObject.withReady(
                        stored, status, reason, message, clock.instant()));
  }

  private Duration since(String time) {
    try {
      return Duration.between(Instant.parse(time), clock.instant());
    } catch (DateTimeParseException e) {
      return GRACE;
    }
  }

  private static ApiObject held(ApiObject stored) {
    List<String> finalizers = new ArrayList<>(stored.meta().finalizers());
    if (stored.meta().deleting() || finalizers.contains(ServiceCidrObject.FINALIZER)) {
      return stored;
    }
    finalizers.add(ServiceCidrObject.FINALIZER);
    return stored.withMeta(stored.meta().with("finalizers", Node.texts(finalizers)));
  }

  private static ApiObject released(ApiObject stored) {
    List<String> finalizers = new ArrayList<>(stored.meta().finalizers());
    if (!stored.meta().deleting() || !finalizers.remove(ServiceCidrObject.FINALIZER)) {
      return stored;
    }
    return stored.withMeta(
        finalizers.isEmpty()
            ? stored.meta().without("finalizers")
            : stored.meta().with("finalizers", Node.texts(finalizers)));
  }

  /** Whether an address would be in no ServiceCIDR without this one. */
  private boolean inUse(String name, List<Cidr> ranges) {
    if (ranges.stream().allMatch(range -> state.isCoveredByOther(name, range))) {
      return false;
    }
    for (IpAddress address : state.managedAddresses()) {
      if (ranges.stream().anyMatch(range -> range.contains(address))
          && !state.isInOther(name, address)) {
        return true;
      }
    }
    return false;
  }
}
