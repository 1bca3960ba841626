package dev.keelson.controller.garbage;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.client.ObjectAddress;
import dev.keelson.client.OwnedObject;
import dev.keelson.client.OwnershipFeed;
import dev.keelson.client.ResourceClient;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.QueueOwner;
import dev.keelson.controller.WorkQueue;
import dev.keelson.object.ApiObject;
import dev.keelson.object.OwnerReference;
import dev.keelson.schema.ResourceCatalog;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Deletes objects whose owners are all gone, and handles the finalizers {@code orphan} and {@code
 * foregroundDeletion} (source: kube-controller-manager's garbage collector).
 */
public final class GarbageCollector implements QueueOwner, AutoCloseable {

  /*
   * One thread reads the feed, maintains the graph and queues objects; the workers process them. The graph only proposes: a worker reads the object and its owners again, and each delete has the uid and resourceVersion of that read as preconditions. So all servers can run it at the same time, and a graph that lags behind does no harm: the pending change queues the object again.
   *
   * An object whose owners are all in the graph and live is not queued, as in Kubernetes: the end of an owner queues its dependents, whether the feed tells it before or after them.
   */

  private static final Logger LOG = Logger.getLogger(GarbageCollector.class);
  private static final int WORKERS = 4;
  private static final int MOST_RECENT = 5_000;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final ResourceClient client;
  private final OwnerAddresses addresses;
  private final OwnerGraph graph;
  private final OwnerLookup lookup;
  private final InvalidOwnerEvents invalid;
  private final WorkQueue<ObjectAddress> work =
      new WorkQueue<>("garbage_collector_attempt_to_delete", FIRST_PAUSE, LONGEST_PAUSE);
  private final Set<ObjectAddress> recentlyGone = BoundedSets.ofNewest(MOST_RECENT);
  private final ControllerLoop follower;
  private final ControllerLoop workers =
      ControllerLoop.workers("garbage", WORKERS, work, this::reconcile);

  public GarbageCollector(
      ResourceCatalog catalog, ResourceClient client, OwnershipFeed feed, InstantSource clock) {
    this.client = client;
    addresses = new OwnerAddresses(catalog);
    graph = new OwnerGraph(addresses);
    lookup = new OwnerLookup(client, addresses);
    invalid = new InvalidOwnerEvents(client, addresses, clock);
    follower =
        ControllerLoop.every(
            "garbage-feed", ControllerLoop.NO_RESYNC, () -> feed.follow(new Changes()));
  }

  /** Starts the threads. */
  public void start() {
    follower.start();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of(work);
  }

  @Override
  public void close() {
    follower.close();
    workers.close();
  }

  private Outcome reconcile(ObjectAddress address) {
    try {
      return collect(address);
    } catch (ApiException e) {
      if (e.reason() == Reason.NOT_FOUND) {
        return Outcome.DONE;
      }
      throw e;
    }
  }

  private Outcome collect(ObjectAddress address) {
    @Nullable OwnedObject known = graph.find(address).orElse(null);
    if (known == null) {
      return Outcome.DONE;
    }
    if (known.orphaning()) {
      orphanDependents(known);
      return Outcome.DONE;
    }
    if (known.foreground()) {
      return awaitDependents(known);
    }
    if (known.deleting()) {
      return Outcome.DONE;
    }
    @Nullable ApiObject object = read(address).orElse(null);
    if (object == null || !object.meta().uid().equals(known.uid()) || object.meta().deleting()) {
      return Outcome.DONE;
    }
    List<OwnerReference> references = OwnerReference.of(object.meta());
    return references.isEmpty()
        ? Outcome.DONE
        : reconcileOwners(known, object, lookup.look(references, address.namespace()));
  }

  private Outcome reconcileOwners(OwnedObject known, ApiObject object, Owners owners) {
    ObjectAddress address = known.address();
    if (!owners.unknown().isEmpty()) {
      for (OwnerReference owner : owners.unknown()) {
        if (addresses.namespaced(owner)) {
          // an invalid owner: reported once, the object is kept
          invalid.tell(address, object, owner);
          return Outcome.DONE;
        }
      }
      // the kind may be served later
      return Outcome.RETRY;
    }
    if (!owners.solid().isEmpty()) {
      Set<String> gone =
          Stream.concat(owners.dangling().stream(), owners.waiting().stream())
              .map(OwnerReference::uid)
              .collect(Collectors.toSet());
      if (!gone.isEmpty()) {
        change(address, Finalizers.withoutOwners(gone, known.uid()));
      }
      return Outcome.DONE;
    }
    if (!owners.waiting().stream().allMatch(owner -> isForeground(owner, address.namespace()))) {
      // the graph is behind what was read: it may not have the dependents either
      return Outcome.RETRY;
    }
    reportOwnersInOtherNamespaces(address, object, owners.dangling());
    List<OwnedObject> dependents = graph.dependents(address, known.uid());
    if (!owners.waiting().isEmpty() && !dependents.isEmpty()) {
      if (dependents.stream().anyMatch(OwnedObject::foreground)) {
        // a cycle would block itself
        change(address, Finalizers.unblocking(known.uid()));
        return deleteNewest(known, Dependents.FOREGROUND);
      }
      delete(known, object, Dependents.FOREGROUND);
      return Outcome.DONE;
    }
    delete(known, object, propagationOf(object));
    return Outcome.DONE;
  }

  /** Whether the graph knows that an owner waits for its dependents. */
  private boolean isForeground(OwnerReference owner, String namespace) {
    return addresses
        .of(owner, namespace)
        .flatMap(graph::find)
        .filter(OwnedObject::foreground)
        .isPresent();
  }

  /**
   * Reports an owner that exists in another namespace, where it is invalid. Not searched for if it
   * was deleted recently.
   */
  private void reportOwnersInOtherNamespaces(
      ObjectAddress address, ApiObject object, List<OwnerReference> dangling) {
    for (OwnerReference owner : dangling) {
      if (addresses.namespaced(owner)) {
        addresses
            .of(owner, address.namespace())
            .filter(missing -> !recentlyGone.contains(missing))
            .flatMap(addresses::served)
            .flatMap(resource -> client.namespaceOf(resource, owner.name(), owner.uid()))
            .ifPresent(elsewhere -> invalid.tell(address, object, owner));
      }
    }
  }

  private static Dependents propagationOf(ApiObject object) {
    List<String> finalizers = object.meta().finalizers();
    if (finalizers.contains(Finalizers.ORPHAN)) {
      return Dependents.ORPHAN;
    }
    return finalizers.contains(Finalizers.FOREGROUND)
        ? Dependents.FOREGROUND
        : Dependents.BACKGROUND;
  }

  private Outcome deleteNewest(OwnedObject known, Dependents dependents) {
    ObjectAddress address = known.address();
    read(address)
        .filter(object -> object.meta().uid().equals(known.uid()))
        .ifPresent(object -> delete(known, object, dependents));
    return Outcome.DONE;
  }

  private void delete(OwnedObject known, ApiObject judged, Dependents dependents) {
    ObjectAddress address = known.address();
    LOG.debugf("event=garbage-delete object=%s uid=%s", address, known.uid());
    client.delete(
        served(address),
        address.namespace(),
        address.name(),
        new DeleteRequest(known.uid(), judged.meta().resourceVersion(), dependents));
  }

  /** Removes the owner references of the dependents, then the finalizer. */
  private void orphanDependents(OwnedObject owner) {
    for (OwnedObject dependent : graph.dependents(owner.address(), owner.uid())) {
      change(dependent.address(), Finalizers.withoutOwners(Set.of(owner.uid()), dependent.uid()));
    }
    change(owner.address(), Finalizers.without(Finalizers.ORPHAN, owner.uid()));
  }

  /**
   * Removes the finalizer if no dependent blocks the deletion; otherwise queues the blocking
   * dependents.
   */
  private Outcome awaitDependents(OwnedObject owner) {
    boolean blocked = false;
    for (OwnedObject dependent : graph.dependents(owner.address(), owner.uid())) {
      boolean blocks =
          dependent.owners().stream()
              .anyMatch(ref -> ref.uid().equals(owner.uid()) && ref.blocksDeletion());
      blocked |= blocks;
      if (blocks && !dependent.deleting()) {
        work.add(dependent.address());
      }
    }
    if (!blocked) {
      change(owner.address(), Finalizers.without(Finalizers.FOREGROUND, owner.uid()));
    }
    return Outcome.DONE;
  }

  private void change(ObjectAddress address, UnaryOperator<ApiObject> edit) {
    if (client.change(served(address), address.namespace(), address.name(), edit).isEmpty()) {
      LOG.debugf("event=garbage-gone object=%s", address);
    }
  }

  private Optional<ApiObject> read(ObjectAddress address) {
    return client.get(served(address), address.namespace(), address.name());
  }

  /**
   * The resource of an object.
   *
   * @throws ApiException of reason NotFound if it is not served: nothing can be done
   */
  private GroupVersionResource served(ObjectAddress address) {
    return addresses
        .served(address)
        .orElseThrow(() -> ApiException.notFound(address.resource(), address.name()));
  }

  /** Maintains the graph and queues objects. */
  private final class Changes implements OwnershipFeed.Listener {

    private boolean complete;

    @Override
    public void restarted() {
      complete = false;
      graph.clear();
    }

    @Override
    public void typesChanged() {
      List<ObjectAddress> linked = graph.relink();
      if (complete) {
        linked.forEach(work::add);
      }
    }

    @Override
    public void complete() {
      complete = true;
      graph.unsettled().forEach(work::add);
      workers.start();
    }

    @Override
    public void changed(OwnedObject object) {
      @Nullable OwnedObject before = graph.put(object).orElse(null);
      if (!complete) {
        return;
      }
      if (before == null || !before.uid().equals(object.uid())) {
        if (object.foreground() || before != null) {
          // what another object of this name owned has lost its owner
          graph.dependents(object.address()).forEach(work::add);
        }
        if (!object.plain() && !graph.isSettled(object.address())) {
          work.add(object.address());
        }
        return;
      }
      Set<OwnerReference> lost = new HashSet<>(before.owners());
      object.owners().forEach(lost::remove);
      freed(lost, object.address().namespace());
      if (object.foreground() && !before.foreground()) {
        graph.dependents(object.address()).forEach(work::add);
      }
      if (!object.equals(before)) {
        work.add(object.address());
      }
    }

    @Override
    public void gone(ObjectAddress address) {
      @Nullable OwnedObject before = graph.remove(address).orElse(null);
      if (!complete) {
        return;
      }
      List<ObjectAddress> dependents = graph.dependents(address);
      if (!dependents.isEmpty()) {
        recentlyGone.add(address);
        dependents.forEach(work::add);
      }
      if (before != null) {
        freed(Set.copyOf(before.owners()), address.namespace());
      }
    }

    /** Queues owners that wait for dependents after these are no longer theirs. */
    private void freed(Set<OwnerReference> owners, String namespace) {
      for (OwnerReference owner : owners) {
        addresses
            .of(owner, namespace)
            .filter(address -> graph.find(address).filter(OwnedObject::foreground).isPresent())
            .ifPresent(work::add);
      }
    }
  }
}
