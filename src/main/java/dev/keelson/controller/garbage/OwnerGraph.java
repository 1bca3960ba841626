package dev.keelson.controller.garbage;

import dev.keelson.client.ObjectAddress;
import dev.keelson.client.OwnedObject;
import dev.keelson.object.OwnerReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The graph of owners and dependents from the feed. Only holds objects that have owners or whose
 * deletion waits for dependents. Safe for use by several threads.
 */
final class OwnerGraph {

  private final OwnerAddresses addresses;
  private final Map<ObjectAddress, OwnedObject> objects = new HashMap<>();
  private final Map<ObjectAddress, Set<ObjectAddress>> dependents = new HashMap<>();

  OwnerGraph(OwnerAddresses addresses) {
    this.addresses = addresses;
  }

  synchronized void clear() {
    objects.clear();
    dependents.clear();
  }

  /** Returns all objects. */
  synchronized List<OwnedObject> all() {
    return List.copyOf(objects.values());
  }

  synchronized Optional<OwnedObject> find(ObjectAddress address) {
    return Optional.ofNullable(objects.get(address));
  }

  /** Adds or replaces an object; returns the previous one. */
  synchronized Optional<OwnedObject> put(OwnedObject object) {
    @Nullable OwnedObject before = objects.remove(object.address());
    if (before != null) {
      unlink(before);
    }
    if (!object.plain()) {
      objects.put(object.address(), object);
      for (OwnerReference owner : object.owners()) {
        addresses
            .of(owner, object.address().namespace())
            .ifPresent(
                address ->
                    dependents
                        .computeIfAbsent(address, key -> new LinkedHashSet<>())
                        .add(object.address()));
      }
    }
    return Optional.ofNullable(before);
  }

  /** Removes an object; returns it. */
  synchronized Optional<OwnedObject> remove(ObjectAddress address) {
    @Nullable OwnedObject before = objects.remove(address);
    if (before != null) {
      unlink(before);
    }
    return Optional.ofNullable(before);
  }

  private void unlink(OwnedObject object) {
    for (OwnerReference owner : object.owners()) {
      addresses
          .of(owner, object.address().namespace())
          .ifPresent(
              address ->
                  dependents.computeIfPresent(
                      address,
                      (key, known) -> {
                        known.remove(object.address());
                        return known.isEmpty() ? null : known;
                      }));
    }
  }

  /** Returns the dependents of an owner address, whatever the uid. */
  synchronized List<ObjectAddress> dependents(ObjectAddress owner) {
    return List.copyOf(dependents.getOrDefault(owner, Set.of()));
  }

  /** Returns the dependents of the owner with this uid. */
  synchronized List<OwnedObject> dependents(ObjectAddress owner, String uid) {
    List<OwnedObject> found = new ArrayList<>();
    for (ObjectAddress address : dependents.getOrDefault(owner, Set.of())) {
      OwnedObject object = objects.get(address);
      if (object != null && object.owners().stream().anyMatch(ref -> ref.uid().equals(uid))) {
        found.add(object);
      }
    }
    return found;
  }
}
