package dev.keelson.controller.garbage;

import dev.keelson.object.OwnerReference;
import java.util.List;

/**
 * The owners of an object as they are now.
 *
 * @param solid are there and stay
 * @param dangling are gone
 * @param waiting are being deleted and wait for their dependents to go first
 * @param unknown are of kinds that are not served, or cannot be owners: nothing can be said
 */
record Owners(
    List<OwnerReference> solid,
    List<OwnerReference> dangling,
    List<OwnerReference> waiting,
    List<OwnerReference> unknown) {}
