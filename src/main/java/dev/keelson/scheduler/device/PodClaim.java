package dev.keelson.scheduler.device;

import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A ResourceClaim that a pod uses.
 *
 * @param claim its name; empty if it has not been made yet
 * @param made whether it is made for the pod, from a template
 */
public record PodClaim(String claim, boolean made) {

  /** The claims of a pod; those that are told not to be needed are left out. */
  public static List<PodClaim> of(MapNode spec, MapNode status) {
    List<PodClaim> claims = new ArrayList<>();
    for (MapNode entry : spec.maps("resourceClaims")) {
      String name = entry.text("resourceClaimName");
      if (!name.isEmpty()) {
        claims.add(new PodClaim(name, false));
        continue;
      }
      MapNode told =
          status.maps("resourceClaimStatuses").stream()
              .filter(each -> each.text("name").equals(entry.text("name")))
              .findFirst()
              .orElse(MapNode.EMPTY);
      if (told.isEmpty() || !told.text("resourceClaimName").isEmpty()) {
        claims.add(new PodClaim(told.text("resourceClaimName"), true));
      }
    }
    return claims;
  }
}
