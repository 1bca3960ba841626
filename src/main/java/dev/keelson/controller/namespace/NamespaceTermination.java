package dev.keelson.controller.namespace;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.ResourceClient;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import java.time.Duration;
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
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final ResourceCatalog catalog;
  private final ResourceClient client;

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

  public NamespaceTermination(ResourceCatalog catalog, ResourceClient client) {
    this.catalog = catalog;
    this.client = client;
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
      if (uid.isEmpty()) {
        return Progress.DONE;
      }
      int left = 0;
      for (GroupVersionResource resource : contents()) {
        if (!uid.equals(uidIfDeleting(namespace))) {
          return Progress.DONE;
        }
        left += deleteAll(resource, namespace);
      }
      if (left > 0) {
        LOG.debugf("event=namespace-held namespace=%s objects=%d", namespace, left);
        return Progress.HELD;
      }
      if (uid.equals(uidIfDeleting(namespace))) {
        client.finalizeNamespace(namespace);
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

  /** The number of objects that are left; one type that fails does not keep the others. */
  private int deleteAll(GroupVersionResource resource, String namespace) {
    try {
      return client.deleteAll(resource, namespace);
    } catch (RuntimeException e) {
      LOG.warnf(
          "event=namespace-content-failed namespace=%s gvr=%s error=%s",
          namespace, resource, e.getMessage());
      return 1;
    }
  }

  private static Progress failed(String namespace, RuntimeException e) {
    LOG.warnf(
        "event=namespace-termination-failed namespace=%s error=%s", namespace, e.getMessage());
    return Progress.HELD;
  }

  /** The uid of the namespace if it is there and its deletion has begun; empty otherwise. */
  private String uidIfDeleting(String namespace) {
    return client
        .get(NAMESPACES, "", namespace)
        .filter(object -> object.meta().deleting())
        .map(object -> object.meta().uid())
        .orElse("");
  }

  /** One resource for every stored type that lives in namespaces. */
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
    return resources;
  }
}
