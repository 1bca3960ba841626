package dev.keelson.controller.bootstrap;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.IpAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Maintains the system namespaces, the system priority classes and the Service {@code kubernetes}
 * with its endpoints. Existing objects are not changed, since several servers may start at once; a
 * server that does not share its store updates its address.
 */
public final class SystemObjects {

  private static final List<String> NAMESPACES =
      List.of("default", "kube-system", "kube-public", "kube-node-lease");
  private static final GroupVersionResource NAMESPACE = GroupVersion.CORE_V1.resource("namespaces");
  private static final Map<String, Long> PRIORITIES =
      Map.of("system-cluster-critical", 2000000000L, "system-node-critical", 2000001000L);
  private static final GroupVersionResource PRIORITY_CLASS =
      new GroupVersionResource("scheduling.k8s.io", "v1", "priorityclasses");
  private static final GroupVersionResource SERVICE = GroupVersion.CORE_V1.resource("services");
  private static final GroupVersionResource ENDPOINTS = GroupVersion.CORE_V1.resource("endpoints");
  private static final GroupVersionResource SLICE =
      new GroupVersionResource("discovery.k8s.io", "v1", "endpointslices");

  private static final String SKIP_MIRROR = "endpointslice.kubernetes.io/skip-mirror";
  private static final String SERVICE_NAME = "kubernetes.io/service-name";

  private final ResourceClient client;

  /**
   * The address of the server.
   *
   * @param serviceAddress the first address of the Service range
   * @param address the advertised IP address
   * @param port the port
   */
  public record Place(String serviceAddress, String address, int port) {}

  public SystemObjects(ResourceClient client) {
    this.client = client;
  }

  /** Creates missing objects; throws what the client throws. */
  public void ensure(Place place) {
    for (String name : NAMESPACES) {
      ensure(NAMESPACE, "", name, MapNode.EMPTY, MapNode.EMPTY);
    }
    for (Map.Entry<String, Long> system : PRIORITIES.entrySet()) {
      ensure(
          PRIORITY_CLASS,
          "",
          system.getKey(),
          MapNode.EMPTY,
          priorityClass(system.getKey(), system.getValue()));
    }
    ensure(SERVICE, "default", "kubernetes", labels(), service(place));
    ensure(ENDPOINTS, "default", "kubernetes", sliceMirrorLabel(), endpoints(place));
    ensureSlice(place);
  }

  private void ensureSlice(Place place) {
    ensure(
        SLICE,
        "default",
        "kubernetes",
        MapNode.of(SERVICE_NAME, Node.text("kubernetes")),
        slice(place));
  }

  /**
   * Sets the address of the only server in the existing endpoints. Throws what the client throws.
   */
  public void moveTo(Place place) {
    movePort(place);
    change(
        ENDPOINTS,
        endpoints ->
            unmirrored(endpoints)
                .with("subsets", new Node.Items(endpoints(place).items("subsets"))));
    keepFamily(place);
    change(
        SLICE,
        slice -> {
          MapNode wanted = slice(place);
          return ofService(slice)
              .with("endpoints", new Node.Items(wanted.items("endpoints")))
              .with("ports", new Node.Items(wanted.items("ports")));
        });
  }

  /**
   * Corrects the type and the ports of the existing Service, as kube-apiserver does when it starts
   * and at no other time; the target port of another server is kept. Throws what the client throws.
   */
  public void mendService(Place place) {
    change(
        SERVICE,
        service -> {
          MapNode spec = service.root().map("spec");
          List<Node> ports = spec.items("ports");
          MapNode wanted = servicePort(place.port);
          MapNode https = wanted;
          for (MapNode port : spec.maps("ports")) {
            if (port.text("name").equals("https")
                && port.get("targetPort") instanceof Node.Int to) {
              https = wanted.with("targetPort", to);
            }
          }
          boolean right = spec.text("type").equals("ClusterIP") && ports.equals(List.of(https));
          return right
              ? service
              : service.with(
                  "spec",
                  spec.with("type", Node.text("ClusterIP"))
                      .with("ports", new Node.Items(List.of(https))));
        });
  }

  private void movePort(Place place) {
    change(
        SERVICE,
        service -> {
          MapNode spec = service.root().map("spec");
          List<Node> ports = new ArrayList<>();
          for (Node item : spec.items("ports")) {
            ports.add(
                item instanceof MapNode port && port.text("name").equals("https")
                    ? port.with("targetPort", new Node.Int(place.port))
                    : item);
          }
          return service.with("spec", spec.with("ports", new Node.Items(ports)));
        });
  }

  /**
   * Sets the addresses of all servers in the existing endpoints, if they differ. The existing port
   * is kept unless this server is the only one. Throws what the client throws.
   *
   * @param addresses the addresses of live servers in order; empty if the last one has just stopped
   */
  public void serveAt(Place place, List<String> addresses) {
    boolean alone = addresses.equals(List.of(place.address));
    change(
        ENDPOINTS,
        endpoints -> unmirrored(endpoints).with("subsets", subsets(endpoints, place, addresses)));
    if (!addresses.isEmpty()) {
      keepFamily(new Place(place.serviceAddress, addresses.getFirst(), place.port));
    }
    change(
        SLICE,
        slice -> {
          List<Node> endpoints = new ArrayList<>();
          for (String address : addresses) {
            if (family(address).equals(slice.root().text("addressType"))) {
              endpoints.add(endpoint(address));
            }
          }
          ApiObject served = ofService(slice).with("endpoints", new Node.Items(endpoints));
          return alone || slice.root().items("ports").isEmpty()
              ? served.with("ports", new Node.Items(List.of(port(place))))
              : served;
        });
    if (alone) {
      movePort(place);
    }
  }

  private static Node subsets(ApiObject endpoints, Place place, List<String> addresses) {
    if (addresses.isEmpty()) {
      return Node.Items.EMPTY;
    }
    List<Node> ports = List.of(port(place));
    List<Node> before = endpoints.root().items("subsets");
    if (!addresses.equals(List.of(place.address))
        && before.size() == 1
        && before.getFirst() instanceof MapNode subset
        && subset.items("ports").size() == 1) {
      ports = subset.items("ports");
    }
    List<Node> all = new ArrayList<>();
    for (String address : addresses) {
      all.add(MapNode.of("ip", Node.text(address)));
    }
    return new Node.Items(
        List.of(
            MapNode.builder(2)
                .put("addresses", new Node.Items(all))
                .put("ports", new Node.Items(ports))
                .build()));
  }

  /**
   * Makes a slice anew that is for another family of addresses, since its type cannot be changed.
   */
  private void keepFamily(Place place) {
    Optional<ApiObject> slice = client.get(SLICE, "default", "kubernetes");
    if (slice.isEmpty() || slice.get().root().text("addressType").equals(family(place.address))) {
      return;
    }
    try {
      client.delete(
          SLICE,
          "default",
          "kubernetes",
          new DeleteRequest(
              slice.get().meta().uid(),
              slice.get().meta().resourceVersion(),
              DeleteRequest.Dependents.DEFAULT));
    } catch (ApiException e) {
      // another server was first; the next turn looks again
      if (e.reason() != Reason.NOT_FOUND && e.reason() != Reason.CONFLICT) {
        throw e;
      }
    }
    ensureSlice(place);
  }

  /** The endpoints with the label that keeps them from being mirrored into a slice. */
  private static ApiObject unmirrored(ApiObject endpoints) {
    return labelled(endpoints, SKIP_MIRROR, "true");
  }

  /** The slice with the label that makes it one of the Service. */
  private static ApiObject ofService(ApiObject slice) {
    return labelled(slice, SERVICE_NAME, "kubernetes");
  }

  private static ApiObject labelled(ApiObject object, String key, String value) {
    MapNode labels = object.meta().node().map("labels");
    return labels.text(key).equals(value)
        ? object
        : object.withMeta(object.meta().with("labels", labels.with(key, Node.text(value))));
  }

  private void change(GroupVersionResource resource, UnaryOperator<ApiObject> edit) {
    Optional<ApiObject> unused = client.change(resource, "default", "kubernetes", edit);
  }

  /** Creates a namespace; throws what the client throws. */
  public static void createNamespace(ResourceClient client, String name) {
    ApiObject unused =
        client.create(
            NAMESPACE,
            "",
            new ApiObject(MapNode.of("metadata", MapNode.of("name", Node.text(name)))));
  }

  private static MapNode priorityClass(String name, long value) {
    boolean node = name.contains("node");
    return MapNode.of("value", new Node.Int(value))
        .with(
            "description",
            Node.text(
                node
                    ? "Used for system critical pods that must not be moved from their current"
                        + " node."
                    : "Used for system critical pods that must run in the cluster, but can be moved"
                        + " to another node if necessary."));
  }

  private void ensure(
      GroupVersionResource resource, String namespace, String name, MapNode labels, MapNode body) {
    if (client.get(resource, namespace, name).isPresent()) {
      return;
    }
    MapNode meta = MapNode.of("name", Node.text(name));
    if (!labels.isEmpty()) {
      meta = meta.with("labels", labels);
    }
    try {
      ApiObject unused =
          client.create(resource, namespace, new ApiObject(body.with("metadata", meta)));
    } catch (ApiException e) {
      if (e.reason() != Reason.ALREADY_EXISTS) {
        throw e;
      }
    }
  }

  private static MapNode labels() {
    return MapNode.ofTexts(Map.of("component", "apiserver", "provider", "kubernetes"));
  }

  private static MapNode sliceMirrorLabel() {
    return MapNode.of(SKIP_MIRROR, Node.text("true"));
  }

  private static MapNode servicePort(int target) {
    return MapNode.builder(4)
        .put("name", Node.text("https"))
        .put("protocol", Node.text("TCP"))
        .put("port", new Node.Int(443))
        .put("targetPort", new Node.Int(target))
        .build();
  }

  private static MapNode service(Place place) {
    MapNode spec =
        MapNode.builder(8)
            .put("ports", new Node.Items(List.of(servicePort(place.port))))
            .put("clusterIP", Node.text(place.serviceAddress))
            .put("clusterIPs", Node.texts(List.of(place.serviceAddress)))
            .put("type", Node.text("ClusterIP"))
            .put("sessionAffinity", Node.text("None"))
            .put("ipFamilies", Node.texts(List.of(family(place.serviceAddress))))
            .put("ipFamilyPolicy", Node.text("SingleStack"))
            .put("internalTrafficPolicy", Node.text("Cluster"))
            .build();
    return MapNode.of("spec", spec);
  }

  private static MapNode endpoints(Place place) {
    MapNode subset =
        MapNode.builder(2)
            .put("addresses", new Node.Items(List.of(MapNode.of("ip", Node.text(place.address)))))
            .put("ports", new Node.Items(List.of(port(place))))
            .build();
    return MapNode.of("subsets", new Node.Items(List.of(subset)));
  }

  private static MapNode slice(Place place) {
    return MapNode.builder(3)
        .put("addressType", Node.text(family(place.address)))
        .put("endpoints", new Node.Items(List.of(endpoint(place.address))))
        .put("ports", new Node.Items(List.of(port(place))))
        .build();
  }

  private static MapNode endpoint(String address) {
    return MapNode.builder(2)
        .put("addresses", Node.texts(List.of(address)))
        .put("conditions", MapNode.of("ready", Node.Bool.TRUE))
        .build();
  }

  private static MapNode port(Place place) {
    return MapNode.builder(3)
        .put("name", Node.text("https"))
        .put("port", new Node.Int(place.port))
        .put("protocol", Node.text("TCP"))
        .build();
  }

  private static String family(String address) {
    return IpAddress.parse(address).family().toString();
  }
}
