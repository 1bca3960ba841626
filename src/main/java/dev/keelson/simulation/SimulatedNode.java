package dev.keelson.simulation;

import dev.keelson.controller.workload.Times;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A node as its kubelet would register it.
 *
 * @param index the number in its name
 * @param version the version of Kubernetes that it tells
 */
record SimulatedNode(int index, String version) {

  /** The label of nodes that are simulated. */
  static final String LABEL = "keelson.dev/simulated";

  private static final String PREFIX = "simulated-";
  private static final String OS_IMAGE = "Simulated: no container runs here";

  String name() {
    return PREFIX + index;
  }

  /** In 10.127.0.0/16, where no pod is. */
  String address() {
    return "10.127.%d.%d".formatted(index / 250, 1 + index % 250);
  }

  ApiObject object(Map<String, String> capacity, Instant now) {
    MapNode labels =
        MapNode.ofTexts(
            Map.of(
                LABEL,
                "true",
                "kubernetes.io/hostname",
                name(),
                "kubernetes.io/os",
                "linux",
                "beta.kubernetes.io/os",
                "linux",
                "kubernetes.io/arch",
                "amd64",
                "beta.kubernetes.io/arch",
                "amd64",
                "node.kubernetes.io/instance-type",
                "simulated"));
    return new ApiObject(
        MapNode.builder(5)
            .put("apiVersion", Node.text("v1"))
            .put("kind", Node.text("Node"))
            .put(
                "metadata",
                MapNode.of("name", Node.text(name()))
                    .with("labels", labels)
                    .with(
                        "annotations",
                        MapNode.of(
                            "keelson.dev/note",
                            Node.text("The status of pods is made up; no container runs."))))
            .put("spec", MapNode.of("providerID", Node.text("simulated://" + name())))
            .put("status", status(capacity, now))
            .build());
  }

  MapNode status(Map<String, String> capacity, Instant now) {
    MapNode resources = MapNode.ofTexts(capacity);
    MapNode info =
        MapNode.builder(10)
            .put("machineID", Node.text(name()))
            .put("systemUUID", Node.text(name()))
            .put("bootID", Node.text(name()))
            .put("kernelVersion", Node.text("simulated"))
            .put("osImage", Node.text(OS_IMAGE))
            .put("containerRuntimeVersion", Node.text("simulated://0"))
            .put("kubeletVersion", Node.text(version + "-simulated"))
            .put("kubeProxyVersion", Node.text(""))
            .put("operatingSystem", Node.text("linux"))
            .put("architecture", Node.text("amd64"))
            .build();
    return MapNode.builder(6)
        .put("capacity", resources)
        .put("allocatable", resources)
        .put("conditions", conditions(now))
        .put(
            "addresses",
            new Items(List.of(address("InternalIP", address()), address("Hostname", name()))))
        .put(
            "daemonEndpoints",
            MapNode.of("kubeletEndpoint", MapNode.of("Port", new Node.Int(10_250))))
        .put("nodeInfo", info)
        .build();
  }

  private static MapNode address(String type, String address) {
    return MapNode.of("type", Node.text(type)).with("address", Node.text(address));
  }

  static Items conditions(Instant now) {
    return new Items(
        List.of(
            condition(
                "MemoryPressure",
                "False",
                "KubeletHasSufficientMemory",
                "kubelet has sufficient memory available",
                now),
            condition(
                "DiskPressure",
                "False",
                "KubeletHasNoDiskPressure",
                "kubelet has no disk pressure",
                now),
            condition(
                "PIDPressure",
                "False",
                "KubeletHasSufficientPID",
                "kubelet has sufficient PID available",
                now),
            condition("Ready", "True", "KubeletReady", "the node is simulated", now)));
  }

  private static MapNode condition(
      String type, String status, String reason, String message, Instant now) {
    String time = Times.text(now);
    return MapNode.builder(6)
        .put("type", Node.text(type))
        .put("status", Node.text(status))
        .put("lastHeartbeatTime", Node.text(time))
        .put("lastTransitionTime", Node.text(time))
        .put("reason", Node.text(reason))
        .put("message", Node.text(message))
        .build();
  }
}
