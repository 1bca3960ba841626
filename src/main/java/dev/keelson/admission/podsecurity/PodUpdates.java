package dev.keelson.admission.podsecurity;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.List;
import java.util.Map;

/** Which updates of a pod can change what checks look at: images and containers. */
final class PodUpdates {

  private PodUpdates() {}

  static boolean significant(ApiObject next, ApiObject current) {
    Changes changes = new Changes(next.meta().annotations(), current.meta().annotations());
    MapNode spec = next.root().map("spec");
    MapNode before = current.root().map("spec");
    return changes.inOrder(spec.maps("containers"), before.maps("containers"))
        || changes.inOrder(spec.maps("initContainers"), before.maps("initContainers"))
        || changes.byName(spec.maps("ephemeralContainers"), before.maps("ephemeralContainers"));
  }

  private record Changes(Map<String, String> annotations, Map<String, String> annotationsBefore) {

    boolean inOrder(List<MapNode> containers, List<MapNode> before) {
      if (containers.size() != before.size()) {
        return true;
      }
      for (int i = 0; i < containers.size(); i++) {
        if (differ(containers.get(i), before.get(i))) {
          return true;
        }
      }
      return false;
    }

    boolean byName(List<MapNode> containers, List<MapNode> before) {
      return containers.stream()
          .anyMatch(
              container ->
                  before.stream()
                      .filter(old -> old.text("name").equals(container.text("name")))
                      .findFirst()
                      .map(old -> differ(container, old))
                      .orElse(true));
    }

    private boolean differ(MapNode container, MapNode before) {
      String key = ProfileChecks.SECCOMP_CONTAINER + container.text("name");
      return !container.text("image").equals(before.text("image"))
          || !annotations.getOrDefault(key, "").equals(annotationsBefore.getOrDefault(key, ""));
    }
  }
}
