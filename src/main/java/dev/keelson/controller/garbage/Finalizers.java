package dev.keelson.controller.garbage;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The edits of finalizers and owner references that the garbage collector makes. */
final class Finalizers {

  /** Delays the deletion until no dependent has an owner reference to the object. */
  static final String ORPHAN = "orphan";

  /** Delays the deletion until the blocking dependents are deleted. */
  static final String FOREGROUND = "foregroundDeletion";

  private Finalizers() {}

  /** Removes a finalizer from the object with this uid; other objects are not changed. */
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

  /** Removes the owner references with these uids from the object with this uid. */
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

  /** Sets blockOwnerDeletion to false in the owner references of the object with this uid. */
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
