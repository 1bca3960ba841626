package dev.keelson.controller.garbage;

import dev.keelson.object.OwnerReference;
import java.util.List;

/**
 * The classified owner references of an object (source: the garbage collector's {@code
 * classifyReferences}).
 *
 * @param solid owners that exist
 * @param dangling owners that do not exist
 * @param waiting owners in foreground deletion, which wait for their dependents
 * @param unknown owners of kinds that are not served or that cannot be owners
 */
record Owners(
    List<OwnerReference> solid,
    List<OwnerReference> dangling,
    List<OwnerReference> waiting,
    List<OwnerReference> unknown) {}
