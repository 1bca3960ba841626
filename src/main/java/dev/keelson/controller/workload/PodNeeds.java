package dev.keelson.controller.workload;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The claims that are made for a pod, or that it uses.
 *
 * @param volumeClaims the names of the PersistentVolumeClaims of its ephemeral volumes
 * @param resourceClaims the names of its ResourceClaims, as far as they are known, and of the one
 *     that a scheduler has made for its extended resources
 * @param dynamic whether the pod has resource claims, known or not
 */
public record PodNeeds(List<String> volumeClaims, List<String> resourceClaims, boolean dynamic) {

  public PodNeeds {
    volumeClaims = List.copyOf(volumeClaims);
    resourceClaims = List.copyOf(resourceClaims);
  }

  /** Those of a pod; null for a pod without any. */
  static @Nullable PodNeeds of(ApiObject pod) {
    MapNode spec = pod.root().map("spec");
    List<String> volumes = new ArrayList<>();
    for (MapNode volume : spec.maps("volumes")) {
      if (volume.has("ephemeral")) {
        volumes.add(volumeClaim(pod, volume));
      }
    }
    List<MapNode> claims = spec.maps("resourceClaims");
    String extended =
        pod.root().map("status").map("extendedResourceClaimStatus").text("resourceClaimName");
    if (volumes.isEmpty() && claims.isEmpty() && extended.isEmpty()) {
      return null;
    }
    List<String> resources = new ArrayList<>();
    for (MapNode claim : claims) {
      String name = resourceClaim(pod, claim);
      if (!name.isEmpty()) {
        resources.add(name);
      }
    }
    if (!extended.isEmpty()) {
      resources.add(extended);
    }
    return new PodNeeds(volumes, resources, !resources.isEmpty() || !claims.isEmpty());
  }

  /** The name of the claim of an ephemeral volume of a pod. */
  public static String volumeClaim(ApiObject pod, MapNode volume) {
    return pod.meta().name() + "-" + volume.text("name");
  }

  /**
   * The name of the ResourceClaim of an entry in the pod's {@code spec.resourceClaims}; empty if
   * none is known, or none needed.
   */
  public static String resourceClaim(ApiObject pod, MapNode claim) {
    String name = claim.text("resourceClaimName");
    if (!name.isEmpty()) {
      return name;
    }
    for (MapNode status : pod.root().map("status").maps("resourceClaimStatuses")) {
      if (status.text("name").equals(claim.text("name"))) {
        return status.text("resourceClaimName");
      }
    }
    return "";
  }
}
