package dev.keelson.controller.endpoint;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.workload.Times;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What of a Service decides about its endpoints.
 *
 * @param created the creationTimestamp
 * @param deleting whether it goes as soon as its finalizers are removed
 * @param selector the labels of its pods; empty if it selects none by itself
 * @param headless whether it has no address of its own
 * @param families the address types, such as {@code IPv4}
 * @param publishesNotReady whether pods that are not ready count as ready
 * @param divided whether an annotation asks to divide its endpoints among the zones
 * @param traffic the trafficDistribution; empty for none, also if {@code divided}
 */
record ServiceFacts(
    ObjectName name,
    String uid,
    Instant created,
    boolean deleting,
    Map<String, String> labels,
    Map<String, String> selector,
    boolean headless,
    List<String> families,
    boolean publishesNotReady,
    boolean divided,
    String traffic,
    List<Port> ports) {

  static final GroupVersionResource RESOURCE = GroupVersion.CORE_V1.resource("services");

  static final InformerType<ServiceFacts> TYPE =
      new InformerType<>(RESOURCE, ServiceFacts::of, List.of());

  /**
   * A port.
   *
   * @param target the number of the pods' port; 0 if it is named
   * @param targetName the name of the pods' port; empty if it is a number
   * @param appProtocol empty for none
   */
  record Port(String name, String protocol, int target, String targetName, String appProtocol) {}

  ServiceFacts {
    labels = Map.copyOf(labels);
    selector = Map.copyOf(selector);
    families = List.copyOf(families);
    ports = List.copyOf(ports);
  }

  static ServiceFacts of(ApiObject service) {
    MapNode spec = service.root().map("spec");
    boolean external = spec.text("type").equals("ExternalName");
    List<String> families = new ArrayList<>();
    for (Node family : spec.items("ipFamilies")) {
      if (family instanceof Node.Text text) {
        families.add(text.value());
      }
    }
    boolean divided = isDivided(service.meta().annotations());
    List<Port> ports = new ArrayList<>();
    for (MapNode port : spec.maps("ports")) {
      ports.add(port(port));
    }
    return new ServiceFacts(
        ObjectName.of(service.meta()),
        service.meta().uid(),
        Times.instant(service.meta().creationTimestamp()),
        service.meta().deleting(),
        service.meta().labels(),
        external ? Map.of() : spec.map("selector").texts(),
        spec.text("clusterIP").equals("None"),
        families.isEmpty() ? List.of("IPv4") : families,
        spec.get("publishNotReadyAddresses") instanceof Node.Bool set && set.value(),
        divided,
        divided ? "" : spec.text("trafficDistribution"),
        ports);
  }

  /** The old annotation counts before the new one. */
  private static boolean isDivided(Map<String, String> annotations) {
    String mode =
        annotations.getOrDefault(
            "service.kubernetes.io/topology-aware-hints",
            annotations.getOrDefault("service.kubernetes.io/topology-mode", ""));
    return mode.equals("Auto") || mode.equals("auto");
  }

  private static Port port(MapNode port) {
    String protocol = port.text("protocol");
    int number = port.get("port") instanceof Node.Int own ? (int) own.value() : 0;
    Node target = port.get("targetPort");
    return new Port(
        port.text("name"),
        protocol.isEmpty() ? "TCP" : protocol,
        target instanceof Node.Text
            ? 0
            : target instanceof Node.Int given && given.value() != 0 ? (int) given.value() : number,
        target instanceof Node.Text text ? text.value() : "",
        port.text("appProtocol"));
  }

  /** Whether it selects a pod by its labels. */
  boolean selects(Map<String, String> podLabels) {
    if (selector.isEmpty()) {
      return false;
    }
    for (Map.Entry<String, String> label : selector.entrySet()) {
      if (!label.getValue().equals(podLabels.get(label.getKey()))) {
        return false;
      }
    }
    return true;
  }

  /** Its labels, and that of headless Services. */
  Map<String, String> labelsOfEndpoints() {
    Map<String, String> all = new HashMap<>(labels);
    if (headless) {
      all.put("service.kubernetes.io/headless", "");
    } else {
      all.remove("service.kubernetes.io/headless");
    }
    return all;
  }
}
