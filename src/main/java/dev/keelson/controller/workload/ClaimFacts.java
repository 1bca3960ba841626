package dev.keelson.controller.workload;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.List;

/**
 * What controllers of workloads read of a PersistentVolumeClaim.
 *
 * @param owners the owner references
 */
public record ClaimFacts(ObjectName name, String uid, boolean deleting, List<MapNode> owners) {

  /** The API resource of PersistentVolumeClaims. */
  public static final GroupVersionResource RESOURCE =
      GroupVersion.CORE_V1.resource("persistentvolumeclaims");

  /** Informers of PersistentVolumeClaims. */
  public static final InformerType<ClaimFacts> TYPE =
      new InformerType<>(RESOURCE, ClaimFacts::of, List.of());

  public ClaimFacts {
    owners = List.copyOf(owners);
  }

  private static ClaimFacts of(ApiObject object) {
    return new ClaimFacts(
        ObjectName.of(object.meta()),
        object.meta().uid(),
        object.meta().deleting(),
        object.meta().node().maps("ownerReferences"));
  }
}
