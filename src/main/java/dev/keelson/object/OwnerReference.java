package dev.keelson.object;

import dev.keelson.object.Node.MapNode;
import dev.keelson.value.SharedText;
import java.util.ArrayList;
import java.util.List;

/**
 * One entry of {@code metadata.ownerReferences}.
 *
 * @param blocksDeletion whether a foreground deletion of the owner waits for this object
 */
public record OwnerReference(
    String apiVersion, String kind, String name, String uid, boolean blocksDeletion) {

  public OwnerReference {
    apiVersion = SharedText.of(apiVersion);
    kind = SharedText.of(kind);
  }

  /** The owners of an object in their order. */
  public static List<OwnerReference> of(ObjectMeta meta) {
    List<OwnerReference> owners = new ArrayList<>();
    for (Node item : meta.node().items("ownerReferences")) {
      if (item instanceof MapNode owner) {
        owners.add(
            new OwnerReference(
                owner.text("apiVersion"),
                owner.text("kind"),
                owner.text("name"),
                owner.text("uid"),
                owner.get("blockOwnerDeletion") == Node.Bool.TRUE));
      }
    }
    return owners;
  }
}
