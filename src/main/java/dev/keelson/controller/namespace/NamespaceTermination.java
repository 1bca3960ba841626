package dev.keelson.controller.namespace;

import dev.keelson.api.ApiException;
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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Removes the content of namespaces that are being deleted, and then lets them go. One virtual
 * thread a namespace, which tries again for as long as finalizers hold some of the content. Every
 * server does this; deleting twice does no harm.
 */
public final class NamespaceTermination implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(NamespaceTermination.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final ResourceCatalog catalog;
  private final ResourceClient client;
  private final Set<String> underWay = ConcurrentHashMap.newKeySet();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  public NamespaceTermination(ResourceCatalog catalog, ResourceClient client) {
    this.catalog = catalog;
    this.client = client;
  }

  /** Begins to empty the namespace, unless that is under way. */
  public void begin(String namespace) {
    if (underWay.add(namespace)) {
      threads.add(
          Thread.ofVirtual()
              .name("namespace-termination-" + namespace)
              .start(() -> run(namespace)));
    }
  }

  @Override
  public void close() {
    threads.forEach(Thread::interrupt);
  }

  private void run(String namespace) {
    try {
      Duration pause = FIRST_PAUSE;
      while (!attempt(namespace)) {
        Thread.sleep(pause);
        pause =
            pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0
                ? LONGEST_PAUSE
                : pause.multipliedBy(2);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      underWay.remove(namespace);
      threads.remove(Thread.currentThread());
    }
  }

  private boolean attempt(String namespace) {
    try {
      int left = 0;
      for (GroupVersionResource resource : contents()) {
        left += client.deleteAll(resource, namespace);
      }
      if (left > 0) {
        LOG.debugf("event=namespace-held namespace=%s objects=%d", namespace, left);
        return false;
      }
      client.finalizeNamespace(namespace);
      return true;
    } catch (ApiException e) {
      return e.reason() == Reason.NOT_FOUND;
    } catch (RuntimeException e) {
      LOG.warnf(
          "event=namespace-termination-failed namespace=%s error=%s", namespace, e.getMessage());
      return false;
    }
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
