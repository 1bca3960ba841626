package dev.keelson.controller.endpoint;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.workload.Times;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.SharedLabels;
import dev.keelson.value.SharedText;
import dev.keelson.value.Uid;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What makes a pod an endpoint.
 *
 * @param id the uid
 * @param addresses all its addresses
 * @param hostname of the pod; empty if it has none of its own
 * @param subdomain the headless Service in which the hostname is known
 * @param ready whether the condition Ready is true
 * @param readinessChanged when the condition Ready changed; null if there is none
 * @param ended whether its containers have ended for good
 * @param ports the ports of its containers that have names
 */
record EndpointPod(
    ObjectName name,
    Uid id,
    Map<String, String> labels,
    List<String> addresses,
    String node,
    String hostname,
    String subdomain,
    boolean ready,
    @Nullable Instant readinessChanged,
    boolean ended,
    boolean deleting,
    List<NamedPort> ports) {

  /** Informers of pods. */
  static final InformerType<EndpointPod> TYPE =
      new InformerType<>(GroupVersion.CORE_V1.resource("pods"), EndpointPod::of, List.of());

  /** A port that Services can name. */
  record NamedPort(String name, String protocol, int number) {}

  EndpointPod {
    labels = SharedLabels.of(labels);
    node = SharedText.of(node);
    addresses = List.copyOf(addresses);
    ports = List.copyOf(ports);
  }

  static EndpointPod of(ApiObject pod) {
    MapNode spec = pod.root().map("spec");
    MapNode status = pod.root().map("status");
    String phase = status.text("phase");
    boolean ready = false;
    Instant readinessChanged = null;
    for (MapNode condition : status.maps("conditions")) {
      if (condition.text("type").equals("Ready")) {
        ready = condition.text("status").equals("True");
        readinessChanged = Times.instant(condition.text("lastTransitionTime"));
      }
    }
    List<String> addresses =
        status.maps("podIPs").stream().map(address -> address.text("ip")).toList();
    if (addresses.isEmpty() && !status.text("podIP").isEmpty()) {
      addresses = List.of(status.text("podIP"));
    }
    return new EndpointPod(
        ObjectName.of(pod.meta()),
        Uid.of(pod.meta().uid()),
        pod.meta().labels(),
        addresses,
        spec.text("nodeName"),
        spec.text("hostname"),
        spec.text("subdomain"),
        ready,
        readinessChanged,
        phase.equals("Succeeded") || phase.equals("Failed"),
        pod.meta().deleting(),
        ports(spec));
  }

  private static List<NamedPort> ports(MapNode spec) {
    List<NamedPort> ports = new ArrayList<>();
    for (MapNode container : spec.maps("containers")) {
      add(container, ports);
    }
    for (MapNode container : spec.maps("initContainers")) {
      if (container.text("restartPolicy").equals("Always")) {
        add(container, ports);
      }
    }
    return ports;
  }

  private static void add(MapNode container, List<NamedPort> ports) {
    for (MapNode port : container.maps("ports")) {
      if (!port.text("name").isEmpty() && port.get("containerPort") instanceof Node.Int number) {
        String protocol = port.text("protocol");
        ports.add(
            new NamedPort(
                port.text("name"), protocol.isEmpty() ? "TCP" : protocol, (int) number.value()));
      }
    }
  }

  /** The uid. */
  String uid() {
    return id.toString();
  }

  /** Whether it can be an endpoint: it has an address and has not ended. */
  boolean serves() {
    return !ended && !addresses.isEmpty();
  }

  /** The number of a port to which a Service refers; empty if the pod has none of its name. */
  OptionalInt port(ServiceFacts.Port port) {
    if (port.targetName().isEmpty()) {
      return OptionalInt.of(port.target());
    }
    for (NamedPort named : ports) {
      if (named.name().equals(port.targetName()) && named.protocol().equals(port.protocol())) {
        return OptionalInt.of(named.number());
      }
    }
    return OptionalInt.empty();
  }
}
