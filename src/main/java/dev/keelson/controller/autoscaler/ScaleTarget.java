package dev.keelson.controller.autoscaler;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.workload.Numbers;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds what autoscalers scale, of any kind that discovery has, and sets its replicas. */
final class ScaleTarget {

  /** client-go's {@code retry.DefaultRetry}. */
  private static final int ATTEMPTS = 5;

  private final ApiClient client;

  ScaleTarget(ApiClient client) {
    this.client = client;
  }

  /** The scale of a workload. */
  record Scale(GroupVersionResource resource, ApiObject object) {

    /** The wanted replicas. */
    int wanted() {
      return Numbers.of(object.root().map("spec"), "replicas", 0);
    }

    /** The replicas that there are. */
    int actual() {
      return Numbers.of(object.root().map("status"), "replicas", 0);
    }

    /** The selector of its pods, as text; empty if it tells none. */
    String selector() {
      return object.root().map("status").text("selector");
    }
  }

  /**
   * The resources of a kind, in the versions of its group that are served, the preferred first.
   *
   * @throws ApiException if there are none
   */
  List<GroupVersionResource> resources(String group, String kind) throws InterruptedException {
    List<GroupVersionResource> found = new ArrayList<>();
    for (GroupVersion version : versions(group)) {
      String path = (group.isEmpty() ? "/api/" : "/apis/") + version;
      client.document(path).map(list -> list.maps("resources")).orElse(List.of()).stream()
          .filter(each -> each.text("kind").equals(kind) && !each.text("name").contains("/"))
          .findFirst()
          .ifPresent(each -> found.add(version.resource(each.text("name"))));
    }
    if (found.isEmpty()) {
      throw new ApiException(
          Reason.UNKNOWN, "no matches for kind \"%s\" in group \"%s\"".formatted(kind, group));
    }
    return found;
  }

  private List<GroupVersion> versions(String group) throws InterruptedException {
    if (group.isEmpty()) {
      return List.of(GroupVersion.CORE_V1);
    }
    Optional<MapNode> document = client.document("/apis/" + group);
    if (document.isEmpty()) {
      return List.of();
    }
    List<GroupVersion> versions = new ArrayList<>();
    String preferred = document.get().map("preferredVersion").text("version");
    for (MapNode each : document.get().maps("versions")) {
      GroupVersion version = new GroupVersion(group, each.text("version"));
      versions.add(version.version().equals(preferred) ? 0 : versions.size(), version);
    }
    return versions;
  }

  /**
   * Reads the scale of a scaleTargetRef.
   *
   * @throws ApiException if there is none
   */
  Scale scale(String namespace, MapNode target) throws InterruptedException {
    String group = GroupVersion.parse(target.text("apiVersion")).group();
    ApiException first = null;
    for (GroupVersionResource resource : resources(group, target.text("kind"))) {
      try {
        return scale(resource, namespace, target.text("name"));
      } catch (ApiException e) {
        first = first == null ? e : first;
      }
    }
    throw first == null ? new ApiException(Reason.UNKNOWN, "unrecognized resource") : first;
  }

  private Scale scale(GroupVersionResource resource, String namespace, String name)
      throws InterruptedException {
    String base = (resource.group().isEmpty() ? "/api/" : "/apis/") + GroupVersion.of(resource);
    String path =
        "%s/namespaces/%s/%s/%s/scale".formatted(base, namespace, resource.resource(), name);
    return new Scale(resource, new ApiObject(client.read(path, Map.of())));
  }

  /** Sets the wanted replicas, also if somebody else writes the workload meanwhile. */
  void rescale(Scale scale, int replicas) throws InterruptedException {
    Scale current = scale;
    for (int attempt = 1; ; attempt++) {
      ApiObject next =
          new ApiObject(
              current.object().root().withAt(List.of("spec", "replicas"), new Node.Int(replicas)));
      try {
        Written unused = client.update(scale.resource(), "scale", next);
        return;
      } catch (ApiException e) {
        if (e.reason() != Reason.CONFLICT || attempt == ATTEMPTS) {
          throw e;
        }
        current =
            scale(
                scale.resource(), scale.object().meta().namespace(), scale.object().meta().name());
      }
    }
  }
}
