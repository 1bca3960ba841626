package dev.keelson.registry.namespace;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.Collection;
import dev.keelson.registry.NamespaceLifecycle;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Change;
import dev.keelson.storage.ChangeFeed;
import dev.keelson.storage.Entry;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.object.ObjectStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Caches which namespaces exist, so that a create does not read one from the store. Watches
 * namespaces on a thread of its own; unknown names are looked up in the store, so that a namespace
 * can be used right after its creation by any server. As in Kubernetes, the deletion of a namespace
 * may be noticed with a short delay.
 */
public final class NamespaceInformer implements NamespaceLifecycle, AutoCloseable {

  private static final Logger LOG = Logger.getLogger(NamespaceInformer.class);
  private static final GroupResource NAMESPACES = new GroupResource("", "namespaces");
  private static final Duration POLL = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private enum Phase {
    ACTIVE,
    TERMINATING
  }

  private final ObjectStore store;
  private final ObjectCodec codec;
  private final StoredType type;
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private final Map<String, Phase> known = new ConcurrentHashMap<>();
  private volatile @Nullable Thread follower;

  /**
   * Not yet following.
   *
   * @param type the stored namespaces
   */
  public NamespaceInformer(ObjectStore store, ObjectCodec codec, StoredType type) {
    this.store = store;
    this.codec = codec;
    this.type = type;
  }

  /** Receives every namespace and every change of one, on the thread of the feed. */
  public interface Listener {

    /** A namespace that is not being deleted was listed or changed; must not block. */
    void active(String namespace);

    /** A namespace whose deletion has begun was listed or changed; must not block. */
    void terminating(String namespace);
  }

  /** Adds a listener; to be called before {@link #start}. */
  public void listen(Listener listener) {
    listeners.add(listener);
  }

  /** Begins to follow the store. */
  public void start() {
    follower = Thread.ofVirtual().name("namespaces").start(this::follow);
  }

  @Override
  public void close() {
    Thread running = follower;
    if (running != null) {
      running.interrupt();
    }
  }

  @Override
  public void checkCreate(Collection collection, String name) {
    String namespace = collection.namespace();
    Phase phase = known.get(namespace);
    if (phase == null) {
      phase = lookUp(namespace);
    }
    if (phase == null) {
      throw ApiException.notFound(NAMESPACES, namespace);
    }
    if (phase == Phase.TERMINATING) {
      ApiException refused =
          ApiException.forbidden(
              collection.definition().groupResource(),
              name,
              "unable to create new content in namespace "
                  + namespace
                  + " because it is being terminated");
      FieldCause cause =
          new FieldCause(
              "NamespaceTerminating",
              "namespace " + namespace + " is being terminated",
              "metadata.namespace");
      ErrorDetails details = refused.details().withCauses(List.of(cause));
      throw new ApiException(Reason.FORBIDDEN, refused.text(), details, null);
    }
  }

  @Override
  public void changed(String namespace) {
    known.remove(namespace);
  }

  private @Nullable Phase lookUp(String namespace) {
    Entry entry = store.get(type, "", namespace).entry();
    return entry == null ? null : phase(codec.decode(type, entry.value()));
  }

  private static Phase phase(ApiObject namespace) {
    return namespace.meta().deleting() ? Phase.TERMINATING : Phase.ACTIVE;
  }

  private void follow() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        followOnce();
      } catch (StorageException.Compacted e) {
        known.clear();
      } catch (StorageException.Closed e) {
        return;
      } catch (StorageException e) {
        // the store is unavailable: clear the cache, so that every look-up reads the store and
        // reports its error
        known.clear();
        if (!pause()) {
          return;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static boolean pause() {
    try {
      Thread.sleep(PAUSE);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void followOnce() throws InterruptedException {
    long revision = store.list(type, "", entry -> learn(ObjectStore.name(entry.key()), entry));
    try (ChangeFeed feed = store.feed(type, revision)) {
      while (true) {
        ChangeFeed.Batch batch = feed.next(POLL);
        if (batch != null) {
          batch.changes().forEach(this::learn);
          // a look-up reads the store and reports the error
          batch.unreadable().forEach(key -> known.remove(ObjectStore.name(key)));
        }
      }
    }
  }

  private void learn(Change change) {
    String name = ObjectStore.name(change.key());
    switch (change) {
      case Change.Put put -> learn(name, put.entry());
      case Change.Delete _ -> known.remove(name);
    }
  }

  private void learn(String name, Entry entry) {
    Phase phase;
    try {
      phase = phase(codec.decode(type, entry.value()));
    } catch (ApiException damaged) {
      // the look-up of this one namespace reports the error; the others must still be followed
      LOG.warnf("event=namespace-unreadable namespace=%s error=%s", name, damaged.text());
      known.remove(name);
      return;
    }
    known.put(name, phase);
    if (phase == Phase.TERMINATING) {
      listeners.forEach(listener -> listener.terminating(name));
    } else {
      listeners.forEach(listener -> listener.active(name));
    }
  }
}
