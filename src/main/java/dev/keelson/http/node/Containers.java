package dev.keelson.http.node;

import dev.keelson.api.ApiException;
import dev.keelson.object.Node.MapNode;
import java.util.List;
import java.util.stream.Stream;

/** Which container of a pod is meant (source: {@code validateContainer} of registry/core/pod). */
final class Containers {

  private Containers() {}

  /**
   * The name of the container.
   *
   * @param asked the client's choice; empty for that of a pod with one
   * @throws ApiException BadRequest if there is no such container, or several to choose from
   */
  static String chosen(MapNode pod, String asked) {
    String name = pod.map("metadata").text("name");
    MapNode spec = pod.map("spec");
    List<String> all =
        Stream.of("initContainers", "containers", "ephemeralContainers")
            .flatMap(field -> spec.maps(field).stream())
            .map(container -> container.text("name"))
            .toList();
    if (!asked.isEmpty()) {
      if (!all.contains(asked)) {
        throw ApiException.badRequest("container " + asked + " is not valid for pod " + name);
      }
      return asked;
    }
    List<MapNode> containers = spec.maps("containers");
    if (containers.size() == 1) {
      return containers.getFirst().text("name");
    }
    String missing = "a container name must be specified for pod " + name;
    throw ApiException.badRequest(
        containers.isEmpty()
            ? missing
            : missing + ", choose one of: [" + String.join(" ", all) + "]");
  }

  /**
   * The node of the pod.
   *
   * @throws ApiException BadRequest if it has none
   */
  static String host(MapNode pod) {
    String node = pod.map("spec").text("nodeName");
    if (node.isEmpty()) {
      throw ApiException.badRequest(
          "pod " + pod.map("metadata").text("name") + " does not have a host assigned");
    }
    return node;
  }
}
