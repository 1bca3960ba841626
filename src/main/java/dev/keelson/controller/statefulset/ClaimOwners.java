package dev.keelson.controller.statefulset;

import dev.keelson.controller.event.ObjectReference;
import dev.keelson.controller.workload.ClaimFacts;
import dev.keelson.controller.workload.Owner;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The owners of claims: they make the garbage collector delete claims with the StatefulSet or with
 * a pod that scaling removes (source: {@code stateful_set_utils.go}, KEP-1847).
 */
final class ClaimOwners {

  private ClaimOwners() {}

  /**
   * The owners that a claim shall have.
   *
   * @param current in their order; those of others stay
   * @param podUid empty if the pod does not exist
   */
  static List<MapNode> wanted(List<MapNode> current, StatefulSet set, int ordinal, String podUid) {
    List<MapNode> owners = new ArrayList<>();
    boolean controlled = false;
    for (MapNode owner : current) {
      String uid = owner.text("uid");
      if (!uid.equals(set.meta().uid()) && !uid.equals(podUid)) {
        owners.add(owner);
        controlled |= owner.get("controller") == Node.Bool.TRUE;
      }
    }
    if (controlled) {
      return owners;
    }
    boolean scaledDown = !set.hasOrdinal(ordinal);
    if (scaledDown && set.deletesClaims("whenScaled")) {
      if (!podUid.isEmpty()) {
        owners.add(
            Owner.reference(
                ObjectReference.of(
                    "v1", "Pod", set.meta().namespace(), set.podName(ordinal), podUid)));
      }
    } else if (set.deletesClaims("whenDeleted")) {
      owners.add(Owner.reference(set.reference()));
    }
    return owners;
  }

  /** Whether another than the StatefulSet and its pod controls a claim. */
  static boolean isForeign(ClaimFacts claim, StatefulSet set, String podUid) {
    return claim.owners().stream()
        .anyMatch(
            owner ->
                owner.get("controller") == Node.Bool.TRUE
                    && !owner.text("uid").equals(set.meta().uid())
                    && !owner.text("uid").equals(podUid));
  }

  /** Whether a claim goes with an earlier pod of a name. */
  static boolean isStale(ClaimFacts claim, String pod) {
    return claim.owners().stream()
        .anyMatch(owner -> owner.text("kind").equals("Pod") && owner.text("name").equals(pod));
  }
}
