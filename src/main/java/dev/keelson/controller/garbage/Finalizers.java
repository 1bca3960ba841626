package dev.keelson.controller.garbage;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The edits of metadata that garbage collection makes. */
final class Finalizers {

  /** Holds an object until its dependents no longer name it. */
  static final String ORPHAN = "orphan";

  /** Holds an object until the dependents that block its deletion are gone. */
  static final String FOREGROUND = "foregroundDeletion";

  private Finalizers() {}

  /** Takes a finalizer out of the object with this uid; another object stays as it is. */
  static UnaryOperator<ApiObject> without(String finalizer, String uid) {
    return object -> {
      ObjectMeta meta = object.meta();
      List<String> kept = new ArrayList<>(meta.finalizers());
      if (!meta.uid().equals(uid) || !kept.remove(finalizer)) {
        return object;
      }
      return object.withMeta(
          kept.isEmpty() ? meta.without("finalizers") : meta.with("finalizers", Node.texts(kept)));
    };
  }

  /** Takes the owners with these uids from the object with this uid. */
  static UnaryOperator<ApiObject> withoutOwners(Set<String> owners, String uid) {
    return object -> {
      ObjectMeta meta = object.meta();
      if (!meta.uid().equals(uid)) {
        return object;
      }
      List<Node> all = meta.node().items("ownerReferences");
      List<Node> kept =
          all.stream()
              .filter(
                  item -> !(item instanceof MapNode owner && owners.contains(owner.text("uid"))))
              .toList();
      if (kept.size() == all.size()) {
        return object;
      }
      return object.withMeta(
          kept.isEmpty()
              ? meta.without("ownerReferences")
              : meta.with("ownerReferences", new Node.Items(kept)));
    };
  }

  /** Lets the owners of the object with this uid be deleted without waiting for it. */
  static UnaryOperator<ApiObject> unblocking(String uid) {
    return object -> {
      ObjectMeta meta = object.meta();
      if (!meta.uid().equals(uid)) {
        return object;
      }
      List<Node> owners =
          meta.node().items("ownerReferences").stream()
              .<Node>map(
                  item ->
                      item instanceof MapNode owner && owner.has("blockOwnerDeletion")
                          ? owner.with("blockOwnerDeletion", Node.Bool.FALSE)
                          : item)
              .toList();
      return object.withMeta(meta.with("ownerReferences", new Node.Items(owners)));
    };
  }
}
