package dev.keelson.controller.namespace;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.Node;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Removes the content of namespaces that are being deleted, and then lets them go. One virtual
 * thread a namespace, which tries again for as long as finalizers hold some of the content. Every
 * server does this; deleting twice does no harm.
 *
 * <p>Another server may be faster, and a user may then make the namespace anew: so each step first
 * makes sure that the namespace is still the one whose deletion began.
 */
public final class NamespaceTermination implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(NamespaceTermination.class);
  private static final GroupVersionResource NAMESPACES =
      GroupVersion.CORE_V1.resource("namespaces");
  private static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");
  private static final String FINALIZER = "kubernetes";
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final ResourceCatalog catalog;
  private final ResourceClient client;
  private final InstantSource clock;

  /** The thread of each namespace that is being emptied. */
  private final Map<String, Thread> underWay = new ConcurrentHashMap<>();

  private volatile boolean closed;

  /** How far an attempt came. */
  private enum Progress {
    /** The namespace is gone, or not being deleted. */
    DONE,
    /** Something holds content, or failed. */
    HELD
  }

  public NamespaceTermination(ResourceCatalog catalog, ResourceClient client, InstantSource clock) {
    this.catalog = catalog;
    this.client = client;
    this.clock = clock;
  }

  /** Begins to empty the namespace, unless that is under way. */
  public void begin(String namespace) {
    Thread unused =
        underWay.computeIfAbsent(
            namespace,
            name ->
                Thread.ofVirtual().name("namespace-termination-" + name).start(() -> run(name)));
  }

  /** Waits until nothing is under way for the namespace. */
  void join(String namespace) throws InterruptedException {
    Thread thread = underWay.get(namespace);
    if (thread != null) {
      thread.join();
    }
  }

  @Override
  public void close() {
    closed = true;
    underWay.values().forEach(Thread::interrupt);
  }

  private void run(String namespace) {
    try {
      Duration pause = FIRST_PAUSE;
      while (!closed && attempt(namespace) == Progress.HELD) {
        Thread.sleep(pause);
        Duration longer = pause.multipliedBy(2);
        pause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      underWay.remove(namespace);
    }
    beginAgain(namespace);
  }

  /** The namespace may have been made and deleted anew just before this thread ended. */
  private void beginAgain(String namespace) {
    try {
      if (!closed && !uidIfDeleting(namespace).isEmpty()) {
        begin(namespace);
      }
    } catch (RuntimeException e) {
      LOG.warnf(
          "event=namespace-termination-failed namespace=%s error=%s", namespace, e.getMessage());
    }
  }

  private Progress attempt(String namespace) {
    try {
      String uid = uidIfDeleting(namespace);
      while (!uid.isEmpty()) {
        Content content = new Content();
        if (!empty(namespace, uid, content)) {
          return Progress.DONE;
        }
        if (content.held()) {
          tell(namespace, uid, content);
          return Progress.HELD;
        }
        // something may have come in while the rest was deleted, so nothing must be found at last
        if (content.empty() && uid.equals(uidIfDeleting(namespace))) {
          client.finalizeNamespace(namespace, FINALIZER);
          return Progress.DONE;
        }
        uid = uidIfDeleting(namespace);
      }
      return Progress.DONE;
    } catch (ApiException e) {
      if (e.reason() == Reason.NOT_FOUND) {
        return Progress.DONE;
      }
      return failed(namespace, e);
    } catch (RuntimeException e) {
      return failed(namespace, e);
    }
  }

  /**
   * Deletes the content: pods first, and nothing else while some are left, since they may need the
   * rest until they end (KEP-5080).
   *
   * @return false if the namespace is no longer the one that is to be emptied
   */
  private boolean empty(String namespace, String uid, Content content) {
    for (GroupVersionResource resource : contents()) {
      if (!uid.equals(uidIfDeleting(namespace))) {
        return false;
      }
      deleteAll(resource, namespace, content);
      if (resource.equals(PODS) && content.held()) {
        return true;
      }
    }
    return true;
  }

  /** One type that fails does not keep the others. */
  private void deleteAll(GroupVersionResource resource, String namespace, Content content) {
    try {
      content.add(resource, client.deleteAll(resource, namespace));
    } catch (RuntimeException e) {
      LOG.warnf(
          "event=namespace-content-failed namespace=%s gvr=%s error=%s",
          namespace, resource, e.getMessage());
      content.failed(String.valueOf(e.getMessage()));
    }
  }

  private void tell(String namespace, String uid, Content content) {
    LOG.debugf("event=namespace-held namespace=%s by=%s", namespace, content.remaining());
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    boolean there =
        client
            .changeStatus(
                NAMESPACES,
                "",
                namespace,
                object ->
                    object.meta().uid().equals(uid)
                        ? DeletionConditions.tell(object, content, now)
                        : object)
            .isPresent();
    if (!there) {
      LOG.debugf("event=namespace-gone namespace=%s", namespace);
    }
  }

  private static Progress failed(String namespace, RuntimeException e) {
    LOG.warnf(
        "event=namespace-termination-failed namespace=%s error=%s", namespace, e.getMessage());
    return Progress.HELD;
  }

  /**
   * The uid of the namespace if it is there, its deletion has begun and waits for its content;
   * empty otherwise.
   */
  private String uidIfDeleting(String namespace) {
    return client
        .get(NAMESPACES, "", namespace)
        .filter(object -> object.meta().deleting())
        .filter(
            object -> object.root().map("spec").items("finalizers").contains(Node.text(FINALIZER)))
        .map(object -> object.meta().uid())
        .orElse("");
  }

  /** One resource for every stored type that lives in namespaces; pods come first. */
  private List<GroupVersionResource> contents() {
    Set<@Nullable StoredType> seen = new HashSet<>();
    List<GroupVersionResource> resources = new ArrayList<>();
    for (ResourceDefinition definition : catalog.snapshot().all()) {
      if (definition.namespaced()
          && definition.storage() != null
          && seen.add(definition.storage())) {
        resources.add(definition.gvr());
      }
    }
    if (resources.remove(PODS)) {
      resources.addFirst(PODS);
    }
    return resources;
  }
}
