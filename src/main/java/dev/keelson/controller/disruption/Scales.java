package dev.keelson.controller.disruption;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.controller.workload.Numbers;
import dev.keelson.controller.workload.Owner;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.controller.workload.ReplicaSetFacts.Variant;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds how many pods there should be: the sum of the scales of their controllers. Workloads are
 * read from the server, others through their scale subresource, so that nothing is kept.
 */
final class Scales {

  private static final GroupVersion APPS = new GroupVersion("apps", "v1");
  private static final Set<String> APPS_GROUPS = Set.of("apps", "extensions");

  private final ApiClient client;

  Scales(ApiClient client) {
    this.client = client;
  }

  /**
   * How many pods there should be.
   *
   * @param unmanaged the names of the pods without a controller, which do not count
   */
  record Expected(int pods, List<String> unmanaged) {}

  private record Scale(String uid, int replicas) {}

  /**
   * How many pods there should be by the controllers of some.
   *
   * @throws ApiException if a controller is not found or has no scale
   */
  Expected of(String namespace, List<PodFacts> pods) throws InterruptedException {
    List<String> unmanaged = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    Map<String, Integer> scales = new HashMap<>();
    for (PodFacts pod : pods) {
      Owner owner = pod.owner();
      if (owner == null) {
        unmanaged.add(pod.name().name());
      } else if (seen.add(owner.uid())) {
        Scale scale = scale(namespace, owner);
        if (scale == null) {
          throw failure("found no controllers for pod \"" + pod.name().name() + "\"");
        }
        Integer unused = scales.put(scale.uid(), scale.replicas());
      }
    }
    long sum = scales.values().stream().mapToLong(Integer::longValue).sum();
    return new Expected(Math.clamp(sum, 0, Integer.MAX_VALUE), List.copyOf(unmanaged));
  }

  private @Nullable Scale scale(String namespace, Owner owner) throws InterruptedException {
    GroupVersion version = GroupVersion.parse(owner.apiVersion());
    boolean apps = APPS_GROUPS.contains(version.group());
    Scale found =
        switch (owner.kind()) {
          case "ReplicationController" ->
              version.group().isEmpty()
                  ? replicas(Variant.REPLICATION_CONTROLLER.resource(), namespace, owner)
                  : null;
          case "ReplicaSet" -> apps ? ofReplicaSet(namespace, owner) : null;
          case "StatefulSet" ->
              version.group().equals("apps")
                  ? replicas(APPS.resource("statefulsets"), namespace, owner)
                  : null;
          default -> null;
        };
    return found == null ? scaleSubresource(namespace, owner, version) : found;
  }

  /**
   * Of its Deployment, if it has one: during a rollout only that knows how many there should be.
   */
  private @Nullable Scale ofReplicaSet(String namespace, Owner owner) throws InterruptedException {
    ApiObject set = read(Variant.REPLICA_SET.resource(), namespace, owner);
    if (set == null) {
      return null;
    }
    Owner above = Owner.of(set.meta());
    if (above == null || !above.kind().equals("Deployment")) {
      return replicas(set);
    }
    return APPS_GROUPS.contains(GroupVersion.parse(above.apiVersion()).group())
        ? replicas(APPS.resource("deployments"), namespace, above)
        : null;
  }

  private @Nullable Scale replicas(GroupVersionResource resource, String namespace, Owner owner)
      throws InterruptedException {
    ApiObject object = read(resource, namespace, owner);
    return object == null ? null : replicas(object);
  }

  private static Scale replicas(ApiObject object) {
    return new Scale(object.meta().uid(), Numbers.of(object.root().map("spec"), "replicas", 1));
  }

  /** An owner; null if it is gone or replaced. */
  private @Nullable ApiObject read(GroupVersionResource resource, String namespace, Owner owner)
      throws InterruptedException {
    return client
        .get(resource, namespace, owner.name())
        .filter(object -> object.meta().uid().equals(owner.uid()))
        .orElse(null);
  }

  private @Nullable Scale scaleSubresource(String namespace, Owner owner, GroupVersion version)
      throws InterruptedException {
    List<MapNode> resources =
        client
            .document((version.group().isEmpty() ? "/api/" : "/apis/") + version)
            .map(list -> list.maps("resources"))
            .orElse(List.of());
    String resource = name(resources, owner.kind()).orElse(null);
    if (resource == null) {
      throw failure(
          "no matches for kind \"%s\" in version \"%s\"".formatted(owner.kind(), version));
    }
    GroupVersionResource type = version.resource(resource);
    String scale = resource + "/scale";
    if (resources.stream()
        .noneMatch(each -> each.text("name").equals(scale) && each.text("kind").equals("Scale"))) {
      throw failure(type.groupResource() + " does not implement the scale subresource");
    }
    return client
        .get(type, namespace, owner.name(), "scale")
        .filter(object -> object.meta().uid().equals(owner.uid()))
        .map(object -> new Scale(owner.uid(), Numbers.of(object.root().map("spec"), "replicas", 0)))
        .orElse(null);
  }

  private static Optional<String> name(List<MapNode> resources, String kind) {
    return resources.stream()
        .filter(each -> each.text("kind").equals(kind) && !each.text("name").contains("/"))
        .map(each -> each.text("name"))
        .findFirst();
  }

  private static ApiException failure(String message) {
    return new ApiException(Reason.UNKNOWN, message);
  }
}
