package dev.keelson.client;

import dev.keelson.object.OwnerReference;
import java.util.List;

/**
 * What garbage collection must know of an object.
 *
 * @param deleting whether its deletion has begun
 * @param orphaning whether its deletion waits until its dependents are let go
 * @param foreground whether its deletion waits until its dependents are gone
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

  /** Whether there is nothing to know of it. */
  public boolean plain() {
    return owners.isEmpty() && !orphaning && !foreground;
  }
}
