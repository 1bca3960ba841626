package dev.keelson.controller.workload;

import dev.keelson.controller.event.ObjectReference;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.value.SharedInstances;
import dev.keelson.value.SharedText;
import dev.keelson.value.Uid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The controller of an object: the owner reference with {@code controller: true}.
 *
 * @param apiVersion of the owner
 * @param id its uid
 */
public record Owner(String apiVersion, String kind, String name, Uid id) {

  private static final SharedInstances<Owner> RECENT = new SharedInstances<>();

  public Owner {
    apiVersion = SharedText.of(apiVersion);
    kind = SharedText.of(kind);
  }

  /** The uid. */
  public String uid() {
    return id.toString();
  }

  /** The controller of an object; null if it has none. */
  public static @Nullable Owner of(ObjectMeta meta) {
    for (MapNode owner : meta.node().maps("ownerReferences")) {
      if (owner.get("controller") == Node.Bool.TRUE) {
        return RECENT.of(
            new Owner(
                owner.text("apiVersion"),
                owner.text("kind"),
                owner.text("name"),
                Uid.of(owner.text("uid"))));
      }
    }
    return null;
  }

  /**
   * The metadata of a patch that makes a workload the controller of an object.
   *
   * @param uid of the object, which is no other
   */
  public static MapNode adoption(ObjectReference workload, String uid) {
    return metadata(uid, reference(workload));
  }

  /**
   * The metadata of a strategic merge patch that removes an owner of an object.
   *
   * @param owner the uid of the owner
   * @param uid of the object, which is no other
   */
  public static MapNode release(String owner, String uid) {
    return metadata(uid, MapNode.of("$patch", Node.text("delete")).with("uid", Node.text(owner)));
  }

  private static MapNode metadata(String uid, MapNode reference) {
    return MapNode.of("uid", Node.text(uid))
        .with("ownerReferences", new Node.Items(List.of(reference)));
  }

  /** The owner reference of what a workload controls. */
  public static MapNode reference(ObjectReference workload) {
    return MapNode.builder(6)
        .put("apiVersion", Node.text(workload.apiVersion()))
        .put("kind", Node.text(workload.kind()))
        .put("name", Node.text(workload.name()))
        .put("uid", Node.text(workload.uid()))
        .put("controller", Node.Bool.TRUE)
        .put("blockOwnerDeletion", Node.Bool.TRUE)
        .build();
  }
}
