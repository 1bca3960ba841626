package dev.keelson.controller.endpoint;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Bool;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How the EndpointSlices of a Service look. */
final class SliceForm {

  static final GroupVersionResource RESOURCE =
      new GroupVersion("discovery.k8s.io", "v1").resource("endpointslices");

  /** The label with the name of the Service. */
  static final String SERVICE = "kubernetes.io/service-name";

  /** The label with the name of the controller. */
  static final String MANAGED_BY = "endpointslice.kubernetes.io/managed-by";

  static final String CONTROLLER = "endpointslice-controller.k8s.io";

  private static final String KIND = "EndpointSlice";

  private final ServiceFacts service;
  private final String family;

  /**
   * The form of slices.
   *
   * @param family the address type
   */
  SliceForm(ServiceFacts service, String family) {
    this.service = service;
    this.family = family;
  }

  /** A new slice. */
  ApiObject slice(Items ports, List<Node> endpoints) {
    MapNode owner =
        MapNode.builder(6)
            .put("apiVersion", Node.text("v1"))
            .put("kind", Node.text("Service"))
            .put("name", Node.text(service.name().name()))
            .put("uid", Node.text(service.uid()))
            .put("controller", Bool.of(true))
            .put("blockOwnerDeletion", Bool.of(true))
            .build();
    MapNode metadata =
        MapNode.builder(4)
            .put("generateName", Node.text(service.name().name() + "-"))
            .put("namespace", Node.text(service.name().namespace()))
            .put("labels", MapNode.ofTexts(labels()))
            .put("ownerReferences", new Items(List.of(owner)))
            .build();
    return new ApiObject(
        MapNode.builder(6)
            .put("apiVersion", Node.text(RESOURCE.apiVersion()))
            .put("kind", Node.text(KIND))
            .put("metadata", metadata)
            .put("addressType", Node.text(family))
            .put("endpoints", new Items(endpoints))
            .put("ports", ports)
            .build());
  }

  /** Whether a slice is of this Service, not of an earlier one of the name or of somebody else. */
  boolean owns(ApiObject slice) {
    return slice.meta().node().maps("ownerReferences").stream()
        .anyMatch(
            owner ->
                owner.text("uid").equals(service.uid())
                    && owner.text("kind").equals("Service")
                    && owner.text("apiVersion").equals("v1"));
  }

  /** An existing slice with other contents. */
  ApiObject changed(ApiObject slice, Items ports, List<Node> endpoints) {
    MapNode metadata = slice.root().map("metadata");
    Map<String, String> wanted = labels();
    if (!metadata.map("labels").texts().equals(wanted)) {
      metadata = metadata.with("labels", MapNode.ofTexts(wanted));
    }
    MapNode root = slice.root().with("metadata", metadata);
    if (!new Items(root.items("endpoints")).equals(new Items(endpoints))) {
      root = root.with("endpoints", new Items(endpoints));
    }
    if (!Set.copyOf(ports(slice).values()).equals(Set.copyOf(ports.values()))) {
      root = root.with("ports", ports);
    }
    return new ApiObject(root);
  }

  private Map<String, String> labels() {
    Map<String, String> labels = new HashMap<>(service.labelsOfEndpoints());
    labels.put(SERVICE, service.name().name());
    labels.put(MANAGED_BY, CONTROLLER);
    return labels;
  }

  /** The ports of a slice, comparable. */
  static Items ports(ApiObject slice) {
    return new Items(slice.root().items("ports"));
  }

  /** The zones that the endpoints of slices are for, by what identifies each. */
  static Map<String, String> zones(List<ApiObject> slices) {
    Map<String, String> zones = new HashMap<>();
    for (ApiObject slice : slices) {
      for (MapNode endpoint : slice.root().maps("endpoints")) {
        List<MapNode> hinted = endpoint.map("hints").maps("forZones");
        if (!hinted.isEmpty()) {
          String unused = zones.put(identity(endpoint), hinted.getFirst().text("name"));
        }
      }
    }
    return zones;
  }

  /** What makes an endpoint the same one in another state. */
  static String identity(MapNode endpoint) {
    return endpoint.map("targetRef").text("uid") + "/" + endpoint.items("addresses");
  }

  /** The ports of a Service as a pod has them; those that it lacks are left out. */
  static Items ports(ServiceFacts service, EndpointPod pod) {
    List<Node> ports = new ArrayList<>();
    for (ServiceFacts.Port port : service.ports()) {
      pod.port(port)
          .ifPresent(
              number -> {
                MapNode.Builder node =
                    MapNode.builder(4)
                        .put("name", Node.text(port.name()))
                        .put("protocol", Node.text(port.protocol()))
                        .put("port", new Node.Int(number));
                if (!port.appProtocol().isEmpty()) {
                  node.put("appProtocol", Node.text(port.appProtocol()));
                }
                ports.add(node.build());
              });
    }
    return new Items(ports);
  }

  /**
   * The endpoint of a pod.
   *
   * @param zone of its node; null if it is not known
   */
  static MapNode endpoint(
      ServiceFacts service, EndpointPod pod, String address, @Nullable String zone) {
    // a pod that ends is not ready, unless its Service asks for pods in any state
    boolean ready = service.publishesNotReady() || (pod.ready() && !pod.deleting());
    MapNode conditions =
        MapNode.builder(3)
            .put("ready", Bool.of(ready))
            .put("serving", Bool.of(pod.ready()))
            .put("terminating", Bool.of(pod.deleting()))
            .build();
    MapNode.Builder endpoint =
        MapNode.builder(7)
            .put("addresses", Node.texts(List.of(address)))
            .put("conditions", conditions);
    if (!pod.hostname().isEmpty() && pod.subdomain().equals(service.name().name())) {
      endpoint.put("hostname", Node.text(pod.hostname()));
    }
    endpoint.put("targetRef", target(pod));
    if (!pod.node().isEmpty()) {
      endpoint.put("nodeName", Node.text(pod.node()));
    }
    if (zone != null && !zone.isEmpty()) {
      endpoint.put("zone", Node.text(zone));
    }
    MapNode hints =
        ready ? hints(service.traffic(), zone == null ? "" : zone, pod.node()) : MapNode.EMPTY;
    if (!hints.isEmpty()) {
      endpoint.put("hints", hints);
    }
    return endpoint.build();
  }

  /** For whom an endpoint is by a trafficDistribution; empty for all. */
  private static MapNode hints(String traffic, String zone, String node) {
    boolean sameNode = traffic.equals("PreferSameNode");
    if (!sameNode && !traffic.equals("PreferClose") && !traffic.equals("PreferSameZone")) {
      return MapNode.EMPTY;
    }
    MapNode hints = zone.isEmpty() ? MapNode.EMPTY : MapNode.of("forZones", named(zone));
    return sameNode && !node.isEmpty() ? hints.with("forNodes", named(node)) : hints;
  }

  private static Items named(String name) {
    return new Items(List.of(MapNode.of("name", Node.text(name))));
  }

  /** The reference to a pod. */
  static MapNode target(EndpointPod pod) {
    return MapNode.builder(4)
        .put("kind", Node.text("Pod"))
        .put("namespace", Node.text(pod.name().namespace()))
        .put("name", Node.text(pod.name().name()))
        .put("uid", Node.text(pod.uid()))
        .build();
  }
}
