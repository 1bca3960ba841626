package dev.keelson.controller.garbage;

import dev.keelson.client.ObjectAddress;
import dev.keelson.client.OwnedObject;
import dev.keelson.object.OwnerReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The graph of owners and dependents from the feed. Only holds objects that have owners or whose
 * deletion waits for dependents. An owner of a kind that is not served has no address until {@link
 * #relink}; one whose kind is no longer served keeps its address. Safe for use by several threads.
 */
final class OwnerGraph {

  /** A kind that owner references name. */
  private record Kind(String apiVersion, String kind) {
    static Kind of(OwnerReference owner) {
      return new Kind(owner.apiVersion(), owner.kind());
    }
  }

  /**
   * An object.
   *
   * @param owners the addresses of its owners of known kinds
   * @param unknown the kinds of its other owners
   */
  private record Member(OwnedObject object, List<ObjectAddress> owners, List<Kind> unknown) {}

  private final OwnerAddresses addresses;
  private final Map<ObjectAddress, Member> objects = new HashMap<>();
  private final Map<ObjectAddress, Set<ObjectAddress>> dependents = new HashMap<>();
  private final Map<Kind, Set<ObjectAddress>> unknown = new HashMap<>();

  OwnerGraph(OwnerAddresses addresses) {
    this.addresses = addresses;
  }

  synchronized void clear() {
    objects.clear();
    dependents.clear();
    unknown.clear();
  }

  /** Returns all objects. */
  synchronized List<OwnedObject> all() {
    return objects.values().stream().map(Member::object).toList();
  }

  synchronized Optional<OwnedObject> find(ObjectAddress address) {
    return Optional.ofNullable(objects.get(address)).map(Member::object);
  }

  /**
   * Whether an object is not being deleted, and neither are its owners, which are all in the graph:
   * there is nothing to do for it until one of them changes.
   */
  synchronized boolean knowsOwners(OwnedObject object) {
    return !object.deleting()
        && object.owners().stream()
            .allMatch(
                owner ->
                    addresses
                        .of(owner, object.address().namespace())
                        .map(objects::get)
                        .filter(member -> isLive(member.object(), owner))
                        .isPresent());
  }

  private static boolean isLive(OwnedObject object, OwnerReference reference) {
    return object.uid().equals(reference.uid()) && !object.deleting();
  }

  /** Adds or replaces an object; returns the previous one. */
  synchronized Optional<OwnedObject> put(OwnedObject object) {
    Optional<OwnedObject> before = remove(object.address());
    if (!object.plain()) {
      List<ObjectAddress> owners = new ArrayList<>(object.owners().size());
      List<Kind> kinds = new ArrayList<>(0);
      for (OwnerReference owner : object.owners()) {
        @Nullable ObjectAddress address =
            addresses.of(owner, object.address().namespace()).orElse(null);
        if (address == null) {
          kinds.add(Kind.of(owner));
        } else {
          owners.add(address);
        }
      }
      objects.put(object.address(), new Member(object, owners, kinds));
      owners.forEach(owner -> link(dependents, owner, object.address()));
      kinds.forEach(kind -> link(unknown, kind, object.address()));
    }
    return before;
  }

  /** Removes an object; returns it. */
  synchronized Optional<OwnedObject> remove(ObjectAddress address) {
    @Nullable Member before = objects.remove(address);
    if (before == null) {
      return Optional.empty();
    }
    before.owners().forEach(owner -> unlink(dependents, owner, address));
    before.unknown().forEach(kind -> unlink(unknown, kind, address));
    return Optional.of(before.object());
  }

  private static <K> void link(Map<K, Set<ObjectAddress>> links, K from, ObjectAddress dependent) {
    boolean unused = links.computeIfAbsent(from, key -> new LinkedHashSet<>()).add(dependent);
  }

  private static <K> void unlink(
      Map<K, Set<ObjectAddress>> links, K from, ObjectAddress dependent) {
    Set<ObjectAddress> unused =
        links.computeIfPresent(
            from,
            (key, known) -> {
              known.remove(dependent);
              return known.isEmpty() ? null : known;
            });
  }

  /** Links dependents to owners whose kind is served now; returns these dependents. */
  synchronized List<ObjectAddress> relink() {
    Set<ObjectAddress> found = new LinkedHashSet<>();
    unknown.forEach(
        (kind, waiting) -> {
          OwnerReference any = new OwnerReference(kind.apiVersion(), kind.kind(), "", "", false);
          if (addresses.of(any, "").isPresent()) {
            found.addAll(waiting);
          }
        });
    for (ObjectAddress address : found) {
      Optional<OwnedObject> unused = put(Objects.requireNonNull(objects.get(address)).object());
    }
    return List.copyOf(found);
  }

  /** Returns the dependents of an owner address, whatever the uid. */
  synchronized List<ObjectAddress> dependents(ObjectAddress owner) {
    return List.copyOf(dependents.getOrDefault(owner, Set.of()));
  }

  /** Returns the dependents of the owner with this uid. */
  synchronized List<OwnedObject> dependents(ObjectAddress owner, String uid) {
    List<OwnedObject> found = new ArrayList<>();
    for (ObjectAddress address : dependents.getOrDefault(owner, Set.of())) {
      Member member = objects.get(address);
      if (member != null
          && member.object().owners().stream().anyMatch(ref -> ref.uid().equals(uid))) {
        found.add(member.object());
      }
    }
    return found;
  }
}
