package dev.keelson.controller.namespace;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.ResourceClient;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.QueueOwner;
import dev.keelson.controller.WorkQueue;
import dev.keelson.object.Node;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger;

/**
 * The namespace controller (source: kube-controller-manager's): deletes the content of terminating
 * namespaces, then removes the finalizer {@code kubernetes}. A namespace with remaining content is
 * retried with a back-off. Every server runs it; a second delete does no harm.
 *
 * <p>Another server may finish first, and a user may then create a namespace of the same name: each
 * step first checks the uid.
 */
public final class NamespaceController implements QueueOwner, AutoCloseable {

  private static final Logger LOG = Logger.getLogger(NamespaceController.class);
  private static final GroupVersionResource NAMESPACES =
      GroupVersion.CORE_V1.resource("namespaces");
  private static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");
  private static final String FINALIZER = "kubernetes";

  /** As many as kube-controller-manager's {@code --concurrent-namespace-syncs}. */
  private static final int WORKERS = 10;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final ResourceCatalog catalog;
  private final ResourceClient client;
  private final InstantSource clock;
  private final CatalogFreshness types;

  /** Makes sure that the catalog has the types that other servers serve. */
  @FunctionalInterface
  public interface CatalogFreshness {

    /**
     * Waits until the catalog has every type that was served by any server before the call; throws
     * an {@link ApiException} if that takes too long.
     */
    void await() throws InterruptedException;
  }

  private final WorkQueue<String> queue = new WorkQueue<>("namespace", FIRST_PAUSE, LONGEST_PAUSE);
  private final ControllerLoop loop =
      ControllerLoop.workers("namespace-termination", WORKERS, queue, this::attempt);

  /**
   * Not yet started.
   *
   * @param types called before each attempt to delete the content: another server may have created
   *     objects of types that this one does not know yet
   */
  public NamespaceController(
      ResourceCatalog catalog, ResourceClient client, InstantSource clock, CatalogFreshness types) {
    this.catalog = catalog;
    this.client = client;
    this.clock = clock;
    this.types = types;
  }

  /** Adds a terminating namespace to the queue; the workers start with the first one. */
  public void begin(String namespace) {
    queue.add(namespace);
    loop.start();
  }

  /** Waits until nothing is left to do for the namespace. */
  void join(String namespace) throws InterruptedException {
    queue.awaitDone(namespace);
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of(queue);
  }

  @Override
  public void close() {
    loop.close();
  }

  private Outcome attempt(String namespace) throws InterruptedException {
    try {
      types.await();
      String uid = uidIfDeleting(namespace);
      while (!uid.isEmpty()) {
        NamespaceContent content = new NamespaceContent();
        if (!empty(namespace, uid, content)) {
          return Outcome.DONE;
        }
        if (content.held()) {
          tell(namespace, uid, content);
          return Outcome.RETRY;
        }
        // objects may have been created meanwhile, so the last attempt must find none
        if (content.empty() && uid.equals(uidIfDeleting(namespace))) {
          client.finalizeNamespace(namespace, FINALIZER);
          return Outcome.DONE;
        }
        uid = uidIfDeleting(namespace);
      }
      return Outcome.DONE;
    } catch (ApiException e) {
      if (e.reason() == Reason.NOT_FOUND) {
        return Outcome.DONE;
      }
      throw e;
    }
  }

  /**
   * Deletes the content: pods first, and the rest only after all pods are gone, since they may need
   * it until they end (KEP-5080).
   *
   * @return false if the namespace has another uid
   */
  private boolean empty(String namespace, String uid, NamespaceContent content) {
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

  /** A failure of one resource does not stop the others. */
  private void deleteAll(
      GroupVersionResource resource, String namespace, NamespaceContent content) {
    try {
      content.add(resource, client.deleteAll(resource, namespace));
    } catch (RuntimeException e) {
      if (e instanceof ApiException gone
          && gone.reason() == Reason.NOT_FOUND
          && !serves(resource)) {
        // the type went, and its objects with it
        return;
      }
      LOG.warnf(
          "event=namespace-content-failed namespace=%s gvr=%s error=%s",
          namespace, resource, e.getMessage());
      content.failed(String.valueOf(e.getMessage()));
    }
  }

  private boolean serves(GroupVersionResource resource) {
    return catalog.snapshot().find(resource).isPresent();
  }

  private void tell(String namespace, String uid, NamespaceContent content) {
    LOG.debugf(
        "event=namespace-content-remaining namespace=%s content=%s",
        namespace, content.remaining());
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    boolean there =
        client
            .changeStatus(
                NAMESPACES,
                "",
                namespace,
                object ->
                    object.meta().uid().equals(uid)
                        ? NamespaceConditions.tell(object, content, now)
                        : object)
            .isPresent();
    if (!there) {
      LOG.debugf("event=namespace-deleted namespace=%s", namespace);
    }
  }

  /**
   * Returns the uid of the namespace if it is terminating and has the finalizer {@code kubernetes};
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

  /**
   * Returns one resource for every namespaced stored type, pods first; of a custom type the stored
   * version if that is served, since deletions in another one need conversion.
   */
  private List<GroupVersionResource> contents() {
    Map<String, GroupVersionResource> byPrefix = new LinkedHashMap<>();
    for (ResourceDefinition definition : catalog.snapshot().all()) {
      StoredType type = definition.storage();
      if (type != null && definition.namespaced()) {
        if (definition.custom() != null && type.written().kind().equals(definition.gvk())) {
          byPrefix.put(type.keyPrefix(), definition.gvr());
        } else {
          byPrefix.putIfAbsent(type.keyPrefix(), definition.gvr());
        }
      }
    }
    List<GroupVersionResource> resources = new ArrayList<>(byPrefix.values());
    if (resources.remove(PODS)) {
      resources.addFirst(PODS);
    }
    return resources;
  }
}
