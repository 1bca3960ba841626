package dev.keelson.controller.garbage;

import dev.keelson.api.GroupResource;
import dev.keelson.client.ObjectAddress;
import dev.keelson.client.OwnedObject;
import dev.keelson.controller.garbage.Vertex.Edge;
import dev.keelson.controller.garbage.Vertex.Kind;
import dev.keelson.object.OwnerReference;
import dev.keelson.value.SharedInstances;
import dev.keelson.value.Uid;
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
 * The graph of owners and dependents from the feed. Its members are the objects that have owners or
 * whose deletion waits for dependents. An owner of a kind that is not served has no address until
 * {@link #relink}; one whose kind is no longer served keeps its address. Safe for use by several
 * threads.
 */
final class OwnerGraph {

  private final OwnerAddresses addresses;

  /** The members and their owners. */
  private final Map<ObjectAddress, Vertex> vertices = new HashMap<>();

  /** The members with an owner of a kind that is not served. */
  private final Map<Kind, Set<Vertex>> unknown = new HashMap<>();

  private final SharedInstances<GroupResource> resources = new SharedInstances<>();
  private final SharedInstances<Kind> kinds = new SharedInstances<>();

  OwnerGraph(OwnerAddresses addresses) {
    this.addresses = addresses;
  }

  synchronized void clear() {
    vertices.clear();
    unknown.clear();
  }

  /** Returns the members that are not {@link #isSettled}. */
  synchronized List<ObjectAddress> unsettled() {
    return vertices.values().stream()
        .filter(vertex -> vertex.isMember() && !vertex.isSettled())
        .map(Vertex::address)
        .toList();
  }

  synchronized Optional<OwnedObject> find(ObjectAddress address) {
    return Optional.ofNullable(vertices.get(address)).map(Vertex::object);
  }

  /**
   * Whether an object is not being deleted, and neither are its owners, which are all members:
   * there is nothing to do for it until one of them changes. False for an object that is no member.
   */
  synchronized boolean isSettled(ObjectAddress address) {
    Vertex vertex = vertices.get(address);
    return vertex != null && vertex.isMember() && vertex.isSettled();
  }

  /** Adds or replaces an object; returns the previous one. */
  synchronized Optional<OwnedObject> put(OwnedObject object) {
    Optional<OwnedObject> before = remove(object.address());
    if (!object.plain()) {
      Vertex vertex = vertex(object.address());
      vertex.join(object, edges(object, vertex));
    }
    return before;
  }

  private List<Edge> edges(OwnedObject object, Vertex vertex) {
    List<Edge> edges = new ArrayList<>(object.owners().size());
    for (OwnerReference reference : object.owners()) {
      Kind kind = kinds.of(Kind.of(reference));
      @Nullable Vertex owner =
          addresses.of(reference, object.address().namespace()).map(this::vertex).orElse(null);
      String name = reference.name();
      if (owner == null) {
        boolean unused = unknown.computeIfAbsent(kind, any -> new LinkedHashSet<>()).add(vertex);
      } else {
        owner.add(vertex);
        name = owner.address().name();
      }
      Uid uid = Uid.of(reference.uid());
      Uid same = owner == null ? uid : owner.shared(uid);
      edges.add(new Edge(kind, owner, name, same, reference.blocksDeletion()));
    }
    return List.copyOf(edges);
  }

  private Vertex vertex(ObjectAddress address) {
    Vertex known = vertices.get(address);
    if (known == null) {
      GroupResource resource = resources.of(address.resource());
      known = new Vertex(new ObjectAddress(resource, address.namespace(), address.name()));
      vertices.put(known.address(), known);
    }
    return known;
  }

  /** Removes an object; returns it. */
  synchronized Optional<OwnedObject> remove(ObjectAddress address) {
    Vertex vertex = vertices.get(address);
    @Nullable OwnedObject before = vertex == null ? null : vertex.object();
    if (vertex == null || before == null) {
      return Optional.empty();
    }
    for (Edge edge : vertex.edges()) {
      Vertex owner = edge.owner();
      if (owner == null) {
        Set<Vertex> waiting = unknown.get(edge.kind());
        if (waiting != null && waiting.remove(vertex) && waiting.isEmpty()) {
          unknown.remove(edge.kind());
        }
      } else {
        owner.remove(vertex);
        forgetIfUnused(owner);
      }
    }
    vertex.leave();
    forgetIfUnused(vertex);
    return Optional.of(before);
  }

  private void forgetIfUnused(Vertex vertex) {
    if (!vertex.isMember() && !vertex.hasDependents()) {
      vertices.remove(vertex.address());
    }
  }

  /** Links dependents to owners whose kind is served now; returns these dependents. */
  synchronized List<ObjectAddress> relink() {
    Set<Vertex> found = new LinkedHashSet<>();
    unknown.forEach(
        (kind, waiting) -> {
          OwnerReference any = new OwnerReference(kind.apiVersion(), kind.kind(), "", "", false);
          if (addresses.of(any, "").isPresent()) {
            found.addAll(waiting);
          }
        });
    for (Vertex vertex : found) {
      Optional<OwnedObject> unused = put(Objects.requireNonNull(vertex.object()));
    }
    return found.stream().map(Vertex::address).toList();
  }

  /** Returns the dependents of an owner address, whatever the uid. */
  synchronized List<ObjectAddress> dependents(ObjectAddress owner) {
    Vertex vertex = vertices.get(owner);
    return vertex == null ? List.of() : vertex.dependents().stream().map(Vertex::address).toList();
  }

  /** Returns the dependents of the owner with this uid. */
  synchronized List<OwnedObject> dependents(ObjectAddress owner, String uid) {
    Vertex vertex = vertices.get(owner);
    List<OwnedObject> found = new ArrayList<>();
    for (Vertex each : vertex == null ? List.<Vertex>of() : vertex.dependents()) {
      OwnedObject object = each.object();
      if (object != null && object.owners().stream().anyMatch(ref -> ref.uid().equals(uid))) {
        found.add(object);
      }
    }
    return found;
  }
}
