package dev.keelson.controller.garbage;

import dev.keelson.client.ObjectAddress;
import dev.keelson.client.OwnedObject;
import dev.keelson.object.OwnerReference;
import dev.keelson.value.Uid;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An object of the {@link OwnerGraph}: a member, the owner of members, or both. Small, since there
 * is one for most objects of a cluster. Confined to the lock of its graph.
 */
final class Vertex {

  /** A kind that owner references name. */
  record Kind(String apiVersion, String kind) {
    static Kind of(OwnerReference owner) {
      return new Kind(owner.apiVersion(), owner.kind());
    }
  }

  /**
   * A reference to an owner.
   *
   * @param owner null if the kind is not served
   * @param name of the owner
   */
  record Edge(Kind kind, @Nullable Vertex owner, String name, Uid uid, boolean blocksDeletion) {

    OwnerReference reference() {
      return new OwnerReference(
          kind.apiVersion(), kind.kind(), name, uid.toString(), blocksDeletion);
    }

    /** Whether the owner is a member, and not being deleted. */
    boolean isLive() {
      return owner != null && uid.equals(owner.uid) && !owner.deleting;
    }
  }

  private final ObjectAddress address;

  /** Null if the object is no member: its owners are not known, nor whether it exists. */
  private @Nullable Uid uid;

  private List<Edge> edges = List.of();
  private boolean deleting;
  private boolean orphaning;
  private boolean foreground;

  /** Null, the one dependent, or the set of them. */
  private @Nullable Object dependents;

  Vertex(ObjectAddress address) {
    this.address = address;
  }

  ObjectAddress address() {
    return address;
  }

  boolean isMember() {
    return uid != null;
  }

  List<Edge> edges() {
    return edges;
  }

  /** The same uid, the instance of this member if it is its own. */
  Uid shared(Uid other) {
    Uid own = uid;
    return own != null && own.equals(other) ? own : other;
  }

  /** Makes the object a member, or changes it. */
  void join(OwnedObject object, List<Edge> owners) {
    uid = Uid.of(object.uid());
    edges = owners;
    deleting = object.deleting();
    orphaning = object.orphaning();
    foreground = object.foreground();
  }

  /** Makes it no member; its dependents remain. */
  void leave() {
    uid = null;
    edges = List.of();
    deleting = false;
    orphaning = false;
    foreground = false;
  }

  /** The member; null if it is none. */
  @Nullable OwnedObject object() {
    Uid known = uid;
    return known == null
        ? null
        : new OwnedObject(
            address,
            known.toString(),
            edges.stream().map(Edge::reference).toList(),
            deleting,
            orphaning,
            foreground);
  }

  /** Whether it is not being deleted, and neither are its owners, which are all members. */
  boolean isSettled() {
    return !deleting && edges.stream().allMatch(Edge::isLive);
  }

  /** The members that refer to this object, whatever the uid, in the order in which they came. */
  @SuppressWarnings("unchecked") // what `add` has stored
  List<Vertex> dependents() {
    Object known = dependents;
    if (known instanceof Vertex only) {
      return List.of(only);
    }
    return known == null ? List.of() : new ArrayList<>((Set<Vertex>) known);
  }

  boolean hasDependents() {
    return dependents != null;
  }

  @SuppressWarnings("unchecked") // what this method has stored
  void add(Vertex dependent) {
    Object known = dependents;
    if (known == null) {
      dependents = dependent;
    } else if (known instanceof Vertex only) {
      if (only != dependent) {
        dependents = new LinkedHashSet<>(List.of(only, dependent));
      }
    } else {
      boolean unused = ((Set<Vertex>) known).add(dependent);
    }
  }

  void remove(Vertex dependent) {
    Object known = dependents;
    if (known == dependent) {
      dependents = null;
    } else if (known instanceof Set<?> several && several.remove(dependent) && several.isEmpty()) {
      dependents = null;
    }
  }
}
