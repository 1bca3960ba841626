package dev.keelson.controller.workload;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The volumes of a pod of a StatefulSet that are claims: the set has a claim for each template. */
final class StatefulPod {

  private StatefulPod() {}

  /** The names of the claims by those of the volumes; empty for pods of others. */
  static Map<String, String> claims(ApiObject pod, @Nullable Owner owner) {
    if (owner == null || !owner.kind().equals("StatefulSet")) {
      return Map.of();
    }
    Map<String, String> claims = new HashMap<>();
    for (MapNode volume : pod.root().map("spec").maps("volumes")) {
      String claim = volume.map("persistentVolumeClaim").text("claimName");
      if (!claim.isEmpty()) {
        String unused = claims.put(volume.text("name"), claim);
      }
    }
    return Map.copyOf(claims);
  }
}
