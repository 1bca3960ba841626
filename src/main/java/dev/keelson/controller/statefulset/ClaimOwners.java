package dev.keelson.controller.statefulset;

import dev.keelson.controller.event.ObjectReference;
import dev.keelson.controller.workload.ClaimFacts;
import dev.keelson.controller.workload.Owner;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The owners of claims: they make the garbage collector delete claims with the StatefulSet or with
 * a pod that scaling removes (source: {@code stateful_set_utils.go}, KEP-1847).
 */
final class ClaimOwners {

  private ClaimOwners() {}

  /**
   * The owners that a claim shall have. What names the set or the pod by its name but is of an
   * earlier one goes first, and nothing comes beside a controller that is neither.
   *
   * @param current in their order; those of others stay
   * @param podUid empty if the pod does not exist
   */
  static List<MapNode> wanted(List<MapNode> current, StatefulSet set, int ordinal, String podUid) {
    List<MapNode> owners = new ArrayList<>();
    for (MapNode owner : current) {
      if (!names(owner, set) && !names(owner, set, ordinal)) {
        owners.add(owner);
      }
    }
    if (hasUnexpectedController(current, set, ordinal, podUid)) {
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

  /** Whether a claim has the owners that it shall have, in any order. */
  static boolean areRight(List<MapNode> current, StatefulSet set, int ordinal, String podUid) {
    return Set.copyOf(wanted(current, set, ordinal, podUid)).equals(Set.copyOf(current));
  }

  /**
   * Whether something else than the StatefulSet and its pod controls a claim, such as an earlier
   * one of the same name. It does not matter where claims are never deleted.
   */
  static boolean hasUnexpectedController(
      List<MapNode> current, StatefulSet set, int ordinal, String podUid) {
    if (!set.deletesClaims("whenDeleted") && !set.deletesClaims("whenScaled")) {
      return false;
    }
    for (MapNode owner : current) {
      if (names(owner, set)) {
        if (!owner.text("uid").equals(set.meta().uid())) {
          return true;
        }
      } else if (names(owner, set, ordinal)) {
        if (!owner.text("uid").equals(podUid)) {
          return true;
        }
      } else if (owner.get("controller") == Node.Bool.TRUE) {
        return true;
      }
    }
    return false;
  }

  private static boolean names(MapNode owner, StatefulSet set) {
    return owner.text("apiVersion").equals(StatefulSet.RESOURCE.apiVersion())
        && owner.text("kind").equals(StatefulSet.KIND)
        && owner.text("name").equals(set.meta().name());
  }

  private static boolean names(MapNode owner, StatefulSet set, int ordinal) {
    return owner.text("apiVersion").equals("v1")
        && owner.text("kind").equals("Pod")
        && owner.text("name").equals(set.podName(ordinal));
  }

  /** Whether a claim goes with an earlier pod of a name. */
  static boolean isStale(ClaimFacts claim, String pod) {
    return claim.owners().stream()
        .anyMatch(owner -> owner.text("kind").equals("Pod") && owner.text("name").equals(pod));
  }
}
