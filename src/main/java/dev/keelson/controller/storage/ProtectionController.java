package dev.keelson.controller.storage;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.client.ResourceClient;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.QueueOwner;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.storage.ProtectionSource.Kind;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Removes the finalizers of claims, volumes and attributes classes that are being deleted: of a
 * claim when no scheduled pod uses it, of a volume when it is not bound, of a class when no claim
 * and no volume names it. Adds them to those that were stored without (source:
 * kube-controller-manager's pvc-protection, pv-protection and vac-protection controllers).
 *
 * <p>A claim in use waits for changes of the pods of its namespace; without waiting claims, changes
 * of pods cost nothing. Every server runs it; each write has the resourceVersion that was read as a
 * precondition.
 */
public final class ProtectionController implements QueueOwner, AutoCloseable {

  static final String CLAIM_FINALIZER = "kubernetes.io/pvc-protection";
  static final String VOLUME_FINALIZER = "kubernetes.io/pv-protection";
  static final String CLASS_FINALIZER = "kubernetes.io/vac-protection";

  private final ResourceClient client;
  private final ProtectionSource source;
  private final WorkQueue<Item> queue =
      new WorkQueue<>("pvcprotection", Duration.ofMillis(10), Duration.ofMinutes(1));

  /** The claims that wait for pods, by namespace; written by the workers, read by the feed. */
  private final Map<String, Set<String>> waiting = new ConcurrentHashMap<>();

  /** Held while changes are taken, so that no class looks unused in between; guards the users. */
  private final ReentrantLock taking = new ReentrantLock();

  private final ClassUsers users = new ClassUsers();

  private final ControllerLoop feed;
  private final ControllerLoop worker;

  /** An object; its namespace is empty unless it is a claim. */
  private record Item(Kind kind, String namespace, String name) {}

  /** Creates the controller without starting it. */
  public ProtectionController(ResourceClient client, ProtectionSource source) {
    this.client = client;
    this.source = source;
    feed = ControllerLoop.every("protection-feed", ControllerLoop.NO_RESYNC, this::takeChanges);
    worker = ControllerLoop.workers("protection", 2, queue, this::reconcile);
  }

  /** Starts the threads. */
  public void start() {
    source.listen(feed::signal);
    source.listenToPods(this::podsChanged);
    feed.start();
    worker.start();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of(queue);
  }

  @Override
  public void close() {
    feed.close();
    worker.close();
  }

  private void takeChanges() {
    taking.lock();
    try {
      source.catchUp(new Changed());
    } finally {
      taking.unlock();
    }
  }

  /** Queues the claims that wait for the pods of a namespace, or of all. */
  private void podsChanged(String namespace) {
    if (waiting.isEmpty()) {
      return;
    }
    if (namespace.isEmpty()) {
      waiting.forEach(this::queueAll);
    } else {
      queueAll(namespace, waiting.getOrDefault(namespace, Set.of()));
    }
  }

  private void queueAll(String namespace, Set<String> claims) {
    claims.forEach(claim -> queue.add(new Item(Kind.CLAIMS, namespace, claim)));
  }

  /** Queues what has to change. */
  private final class Changed implements ObjectSink<Kind> {

    @Override
    public void clear(Kind kind) {
      // all objects follow
      users.clear(kind);
    }

    @Override
    public void put(Kind kind, ApiObject object) {
      if (object.meta().deleting() == object.meta().finalizers().contains(finalizer(kind))) {
        queue.add(new Item(kind, object.meta().namespace(), object.meta().name()));
      }
      if (kind != Kind.CLASSES) {
        queueClasses(users.put(kind, object));
      }
    }

    @Override
    public void remove(Kind kind, String namespace, String name) {
      forget(new Item(kind, namespace, name));
      queueClasses(users.remove(kind, namespace, name));
    }

    private void queueClasses(Set<String> names) {
      names.forEach(name -> queue.add(new Item(Kind.CLASSES, "", name)));
    }
  }

  private static String finalizer(Kind kind) {
    return switch (kind) {
      case CLASSES -> CLASS_FINALIZER;
      case CLAIMS -> CLAIM_FINALIZER;
      case VOLUMES -> VOLUME_FINALIZER;
    };
  }

  private Outcome reconcile(Item item) {
    try {
      Optional<ApiObject> stored =
          client.get(item.kind().resource(), item.namespace(), item.name());
      if (stored.isEmpty()) {
        forget(item);
      } else {
        switch (item.kind()) {
          case CLASSES -> protectClass(item, stored.get());
          case CLAIMS -> protectClaim(item, stored.get());
          case VOLUMES -> protectVolume(item, stored.get());
        }
      }
    } catch (ApiException e) {
      // a concurrent delete or a terminating namespace: the feed queues the object again
      if (e.reason() != Reason.NOT_FOUND && e.reason() != Reason.FORBIDDEN) {
        throw e;
      }
    }
    return Outcome.DONE;
  }

  private void protectClass(Item item, ApiObject attributes) {
    if (!attributes.meta().deleting()) {
      edit(item, /* held= */ true);
    } else if (!used(item)) {
      edit(item, /* held= */ false);
    }
    // a class that is named is queued again when an object no longer names it
  }

  private boolean used(Item attributes) {
    taking.lock();
    try {
      return users.use(attributes.name());
    } finally {
      taking.unlock();
    }
  }

  private void protectVolume(Item item, ApiObject volume) {
    if (!volume.meta().deleting()) {
      edit(item, /* held= */ true);
    } else if (!bound(volume)) {
      edit(item, /* held= */ false);
    }
    // a volume that is bound is queued again when its phase changes
  }

  private static boolean bound(ApiObject volume) {
    return volume.root().map("status").text("phase").equals("Bound");
  }

  private void protectClaim(Item item, ApiObject claim) {
    if (!claim.meta().deleting()) {
      edit(item, /* held= */ true);
      return;
    }
    if (!claim.meta().finalizers().contains(CLAIM_FINALIZER)) {
      forget(item);
      return;
    }
    // registered first, so that a pod that ends during the check is seen
    await(item);
    if (!used(claim)) {
      edit(item, /* held= */ false);
      forget(item);
    }
  }

  private void await(Item item) {
    waiting.compute(
        item.namespace(),
        (_, known) -> {
          Set<String> claims = known == null ? ConcurrentHashMap.newKeySet() : known;
          claims.add(item.name());
          return claims;
        });
  }

  private void forget(Item item) {
    if (item.kind() != Kind.CLAIMS) {
      return;
    }
    waiting.computeIfPresent(
        item.namespace(),
        (_, claims) -> {
          claims.remove(item.name());
          return claims.isEmpty() ? null : claims;
        });
  }

  private boolean used(ApiObject claim) {
    for (Supplier<ApiObject> pod : source.pods(claim.meta().namespace())) {
      if (uses(pod.get(), claim)) {
        return true;
      }
    }
    return false;
  }

  /** Only a scheduled pod counts: a kubelet does not start one whose claim is being deleted. */
  private static boolean uses(ApiObject pod, ApiObject claim) {
    MapNode spec = pod.root().map("spec");
    if (spec.text("nodeName").isEmpty()) {
      return false;
    }
    for (MapNode volume : spec.maps("volumes")) {
      String named = volume.map("persistentVolumeClaim").text("claimName");
      if (named.equals(claim.meta().name()) || isEphemeral(pod, volume, claim)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isEphemeral(ApiObject pod, MapNode volume, ApiObject claim) {
    return volume.has("ephemeral")
        && claim.meta().name().equals(pod.meta().name() + "-" + volume.text("name"))
        && !shutDown(pod)
        && claim.meta().node().maps("ownerReferences").stream()
            .anyMatch(
                owner ->
                    owner.get("controller") == Node.Bool.TRUE
                        && owner.text("uid").equals(pod.meta().uid()));
  }

  /** Whether a pod is deleted and its containers have ended. */
  private static boolean shutDown(ApiObject pod) {
    MapNode status = pod.root().map("status");
    String phase = status.text("phase");
    return pod.meta().deleting()
        && (phase.equals("Succeeded") || phase.equals("Failed"))
        && status.maps("containerStatuses").stream()
            .noneMatch(container -> container.map("state").has("running"));
  }

  private void edit(Item item, boolean held) {
    Optional<ApiObject> unused =
        client.change(
            item.kind().resource(),
            item.namespace(),
            item.name(),
            object -> edited(object, finalizer(item.kind()), held));
  }

  private static ApiObject edited(ApiObject object, String finalizer, boolean held) {
    List<String> finalizers = new ArrayList<>(object.meta().finalizers());
    // the object may be another one by now
    if (object.meta().deleting() == held || finalizers.contains(finalizer) == held) {
      return object;
    }
    if (held) {
      finalizers.add(finalizer);
    } else {
      finalizers.remove(finalizer);
    }
    return object.withMeta(
        finalizers.isEmpty()
            ? object.meta().without("finalizers")
            : object.meta().with("finalizers", Node.texts(finalizers)));
  }
}
