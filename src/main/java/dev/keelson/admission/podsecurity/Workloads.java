package dev.keelson.admission.podsecurity;

import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.Optional;
import java.util.Set;

/** The templates of pods in other types. */
final class Workloads {

  private static final Set<String> RESOURCES =
      Set.of(
          "podtemplates",
          "replicationcontrollers",
          "replicasets",
          "deployments",
          "statefulsets",
          "daemonsets",
          "jobs",
          "cronjobs");
  private static final Set<String> GROUPS = Set.of("", "apps", "batch", "extensions");

  private Workloads() {}

  /** Whether objects of a resource may have a template. */
  static boolean hasTemplate(GroupResource resource) {
    return GROUPS.contains(resource.group()) && RESOURCES.contains(resource.resource());
  }

  /** Returns the template of an object, or empty if its type or the object has none. */
  static Optional<MapNode> template(GroupVersionResource resource, ApiObject object) {
    MapNode spec = object.root().map("spec");
    return switch (resource.group() + "/" + resource.resource()) {
      case "/podtemplates" -> Optional.of(object.root().map("template"));
      case "/replicationcontrollers" ->
          Optional.of(spec.map("template")).filter(template -> !template.isEmpty());
      case "extensions/replicasets",
          "extensions/deployments",
          "extensions/daemonsets",
          "apps/replicasets",
          "apps/deployments",
          "apps/statefulsets",
          "apps/daemonsets",
          "batch/jobs" ->
          Optional.of(spec.map("template"));
      case "batch/cronjobs" -> Optional.of(spec.map("jobTemplate").map("spec").map("template"));
      default -> Optional.empty();
    };
  }
}
