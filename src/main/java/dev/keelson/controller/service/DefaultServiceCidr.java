package dev.keelson.controller.service;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.client.ResourceClient;
import dev.keelson.controller.service.NetworkChanges.Kind;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Maintains the ServiceCIDR {@code kubernetes} with the ranges of {@code
 * --service-cluster-ip-range}: creates it, adds a second range, and sets its condition Ready. One
 * with other ranges is left as it is (source: kube-apiserver's defaultservicecidr controller). Used
 * by one thread at a time.
 */
public final class DefaultServiceCidr {

  /** The time between two checks. */
  public static final Duration INTERVAL = Duration.ofSeconds(10);

  private static final String NAME = "kubernetes";
  private static final String COMPONENT = "kubernetes-service-cidr-controller";

  private final ResourceClient client;
  private final List<String> ranges;
  private final InstantSource clock;
  private final NetworkEvents events;

  /**
   * @param ranges in CIDR notation: one, or one of each IP family, the preferred one first
   */
  public DefaultServiceCidr(ResourceClient client, List<String> ranges, InstantSource clock) {
    this.client = client;
    this.ranges = List.copyOf(ranges);
    this.clock = clock;
    this.events = new NetworkEvents(client, clock);
  }

  /** Creates or updates the object if necessary; throws what the client throws. */
  public void ensure() {
    Optional<ApiObject> found = client.get(Kind.SERVICE_CIDRS.resource(), "", NAME);
    if (found.isEmpty()) {
      found = create();
    }
    if (found.isPresent()) {
      ApiObject object = found.get();
      List<String> now = ServiceCidrObject.cidrs(object);
      if (ranges.size() == 2 && now.equals(ranges.subList(0, 1)) && !object.meta().deleting()) {
        addSecondRange(object);
      } else {
        setReady(object, now);
      }
    }
  }

  private Optional<ApiObject> create() {
    MapNode root =
        MapNode.of("metadata", MapNode.of("name", Node.text(NAME)))
            .with("spec", MapNode.of("cidrs", Node.texts(ranges)));
    try {
      return Optional.of(client.create(Kind.SERVICE_CIDRS.resource(), "", new ApiObject(root)));
    } catch (ApiException e) {
      if (e.reason() != Reason.ALREADY_EXISTS) {
        throw e;
      }
      return client.get(Kind.SERVICE_CIDRS.resource(), "", NAME);
    }
  }

  private void addSecondRange(ApiObject object) {
    try {
      Optional<ApiObject> unused =
          client.change(
              Kind.SERVICE_CIDRS.resource(),
              "",
              NAME,
              stored ->
                  stored.with("spec", stored.root().map("spec").with("cidrs", Node.texts(ranges))));
    } catch (ApiException e) {
      warn(
          object,
          "KubernetesDefaultServiceCIDRError",
          "The default ServiceCIDR can not be upgraded from "
              + ranges.getFirst()
              + " to dual stack "
              + shown(ranges)
              + " : "
              + e.getMessage());
    }
  }

  private void setReady(ApiObject object, List<String> now) {
    if (object.meta().deleting()) {
      return;
    }
    if (!now.equals(ranges)) {
      warn(
          object,
          "KubernetesDefaultServiceCIDRInconsistent",
          "The default ServiceCIDR "
              + shown(now)
              + " does not match the controller flag configurations "
              + shown(ranges));
      return;
    }
    MapNode condition = ServiceCidrObject.ready(object);
    switch (condition.text("status")) {
      case "True" -> {}
      case "False" ->
          warn(
              object,
              condition.text("reason"),
              "Configuration matches, but " + condition.text("message"));
      default -> {
        Optional<ApiObject> unused =
            client.changeStatus(
                Kind.SERVICE_CIDRS.resource(),
                "",
                NAME,
                stored ->
                    ServiceCidrObject.withReady(
                        stored,
                        "True",
                        "",
                        "Kubernetes default Service CIDR is ready",
                        clock.instant()));
      }
    }
  }

  private void warn(ApiObject object, String reason, String message) {
    events.warn(COMPONENT, object, reason, "", message);
  }

  private static String shown(List<String> cidrs) {
    return "[" + String.join(" ", cidrs) + "]";
  }
}
