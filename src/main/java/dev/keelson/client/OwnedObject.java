package dev.keelson.client;

import dev.keelson.object.OwnerReference;
import java.util.List;

/**
 * The ownership of an object, for the garbage collector.
 *
 * @param deleting whether it has a deletionTimestamp
 * @param orphaning whether it has the finalizer {@code orphan}
 * @param foreground whether it has the finalizer {@code foregroundDeletion}
 */
public record OwnedObject(
    ObjectAddress address,
    String uid,
    List<OwnerReference> owners,
    boolean deleting,
    boolean orphaning,
    boolean foreground) {
  public OwnedObject {
    owners = List.copyOf(owners);
  }

  /** Whether it has no owners and no finalizers of the garbage collector. */
  public boolean plain() {
    return owners.isEmpty() && !orphaning && !foreground;
  }
}
