package dev.keelson.controller.discovery;

import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Verb;
import dev.keelson.client.ObjectAddress;
import dev.keelson.client.OwnedObject;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.object.ApiObject;
import dev.keelson.object.ObjectMeta;
import dev.keelson.object.OwnerReference;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The owners of the objects of every resource that can be watched and deleted, by informers of
 * their metadata: one for each resource, shared by those that listen. Events are left out, as in
 * kube-controller-manager.
 */
public final class MetadataInformers implements AutoCloseable {

  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** How long a resource that cannot be read keeps the others waiting, as in Kubernetes. */
  private static final Duration SYNC = Duration.ofSeconds(30);

  private static final String ORPHAN = "orphan";
  private static final String FOREGROUND = "foregroundDeletion";

  private final ApiClient client;
  private final ServedTypes types;
  private final List<Changes> listeners = new CopyOnWriteArrayList<>();

  /** Guards the fields below. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Map<GroupVersionResource, Running> running = new LinkedHashMap<>();
  private boolean started;
  private boolean closed;

  private record Running(Informer<OwnedObject> informer, ControllerLoop loop) {}

  /** Receives changes, on threads of the informers. */
  public interface Changes {

    /** An object was added or changed; {@code before} is null if it was not known. */
    void changed(@Nullable OwnedObject before, OwnedObject now);

    /** An object was deleted. */
    void gone(OwnedObject last);
  }

  /** Nothing is followed yet. */
  public MetadataInformers(ApiClient client, ServedTypes types) {
    this.client = client;
    this.types = types;
  }

  /** Adds a listener, which is told of all objects, and waits until most are known. */
  public void listen(Changes listener) throws InterruptedException {
    types.start();
    List<Informer<OwnedObject>> all;
    lock.lock();
    try {
      listeners.add(listener);
      if (!started) {
        started = true;
        types.catalog().onChange((before, after, change) -> adapt(after));
        adapt(types.catalog().snapshot());
      } else {
        running.values().forEach(each -> each.informer().listen(told(List.of(listener))));
      }
      all = running.values().stream().map(Running::informer).toList();
    } finally {
      lock.unlock();
    }
    long end = System.nanoTime() + SYNC.toNanos();
    for (Informer<OwnedObject> informer : all) {
      boolean unused = informer.awaitSync(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
    }
  }

  /** Follows what is served, and nothing else. */
  private void adapt(ResourceCatalog.Snapshot served) {
    Map<GroupVersionResource, ResourceDefinition> wanted = wanted(served);
    lock.lock();
    try {
      if (closed) {
        return;
      }
      for (GroupVersionResource gone : new ArrayList<>(running.keySet())) {
        if (!wanted.containsKey(gone)) {
          end(Objects.requireNonNull(running.remove(gone)));
        }
      }
      wanted.forEach(
          (resource, row) -> running.computeIfAbsent(resource, _ -> begin(resource, row)));
    } finally {
      lock.unlock();
    }
  }

  /** The first resource of those that have the same objects. */
  private static Map<GroupVersionResource, ResourceDefinition> wanted(
      ResourceCatalog.Snapshot served) {
    Map<GroupVersionResource, ResourceDefinition> wanted = new LinkedHashMap<>();
    Set<String> places = new HashSet<>();
    for (ResourceDefinition row : served.all()) {
      StoredType type = row.storage();
      if (type != null
          && row.verbs().contains(Verb.WATCH)
          && !row.gvr().resource().equals("events")
          && places.add(type.keyPrefix())) {
        wanted.put(row.gvr(), row);
      }
    }
    return wanted;
  }

  private Running begin(GroupVersionResource resource, ResourceDefinition row) {
    GroupResource group = row.groupResource();
    Informer<OwnedObject> informer =
        Informer.of(
            client,
            new InformerType<>(
                Selection.metadataOf(resource), object -> owned(group, object), List.of()));
    informer.listen(told(listeners));
    ControllerLoop loop =
        ControllerLoop.every(
            "metadata-" + resource.resource(), Duration.ZERO, () -> follow(informer));
    loop.start();
    return new Running(informer, loop);
  }

  private static void follow(Informer<OwnedObject> informer)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    informer.follow();
    // a watch that ends at once is not begun again at once
    Duration rest = PAUSE.minusNanos(System.nanoTime() - begin);
    if (rest.isPositive()) {
      Thread.sleep(rest);
    }
  }

  /** The objects of a type that is not served any more are not there. */
  private void end(Running gone) {
    gone.loop().close(Duration.ZERO);
    for (OwnedObject object : gone.informer().list()) {
      listeners.forEach(listener -> listener.gone(object));
    }
  }

  private static OwnedObject owned(GroupResource group, ApiObject object) {
    ObjectMeta meta = object.meta();
    return new OwnedObject(
        new ObjectAddress(group, meta.namespace(), meta.name()),
        meta.uid(),
        OwnerReference.of(meta),
        meta.deleting(),
        meta.deleting() && meta.finalizers().contains(ORPHAN),
        meta.deleting() && meta.finalizers().contains(FOREGROUND));
  }

  private static ObjectListener<OwnedObject> told(List<Changes> listeners) {
    return new ObjectListener<>() {
      @Override
      public void added(ObjectName name, OwnedObject object) {
        listeners.forEach(each -> each.changed(null, object));
      }

      @Override
      public void updated(ObjectName name, OwnedObject before, OwnedObject after) {
        listeners.forEach(each -> each.changed(before, after));
      }

      @Override
      public void deleted(ObjectName name, OwnedObject last) {
        listeners.forEach(each -> each.gone(last));
      }
    };
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      running.values().forEach(each -> each.loop().close(Duration.ZERO));
    } finally {
      lock.unlock();
    }
  }
}
