package dev.keelson.controller.serviceaccount;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.ResourceClient;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.QueueOwner;
import dev.keelson.controller.WorkQueue;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the service account {@code default} and the ConfigMap {@code kube-root-ca.crt} in every
 * namespace (source: Kubernetes' controllers service-account and root-ca-certificate-publisher):
 * creates what is missing and restores the certificates of a changed ConfigMap. Every server does
 * this.
 */
public final class NamespaceDefaults implements QueueOwner, AutoCloseable {

  /** The default service account of pods. */
  public static final String ACCOUNT = "default";

  /** The ConfigMap with the CA bundle of pods. */
  public static final String AUTHORITIES = "kube-root-ca.crt";

  private static final GroupVersionResource ACCOUNTS =
      GroupVersion.CORE_V1.resource("serviceaccounts");
  private static final GroupVersionResource CONFIG_MAPS =
      GroupVersion.CORE_V1.resource("configmaps");
  private static final String DESCRIPTION = "kubernetes.io/description";
  private static final String KEY = "ca.crt";
  private static final int WORKERS = 2;

  private final ResourceClient client;
  private final String authorityPem;
  private final Set<Part> parts;
  private final WorkQueue<String> queue;
  private final ControllerLoop loop;

  /** Namespaces with both objects, which are not checked again. */
  private final Set<String> done = ConcurrentHashMap.newKeySet();

  /** What a namespace gets. */
  public enum Part {
    /** The service account {@value #ACCOUNT}. */
    SERVICE_ACCOUNT,
    /** The ConfigMap {@value #AUTHORITIES}. */
    ROOT_AUTHORITIES
  }

  /**
   * Creates the controller without starting it.
   *
   * @param authorityPem the CA certificate of the server
   * @param parts what every namespace gets
   */
  public NamespaceDefaults(ResourceClient client, String authorityPem, Set<Part> parts) {
    this.client = client;
    this.authorityPem = authorityPem;
    this.parts = Set.copyOf(parts);
    // one queue for what Kubernetes does with two
    this.queue =
        new WorkQueue<>(
            parts.contains(Part.SERVICE_ACCOUNT) ? "serviceaccount" : "root_ca_cert_publisher",
            Duration.ofMillis(200),
            Duration.ofMinutes(1));
    this.loop = ControllerLoop.workers("namespace-defaults", WORKERS, queue, this::attempt);
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of(queue);
  }

  /** Starts the workers. */
  public void start() {
    loop.start();
  }

  /** Queues the namespace, unless it has both objects. */
  public void begin(String namespace) {
    if (!done.contains(namespace)) {
      queue.add(namespace);
    }
  }

  /** Queues a namespace after a change or deletion of one of the objects. */
  public void invalidate(String namespace) {
    done.remove(namespace);
    queue.add(namespace);
  }

  /** Queues every namespace after lost changes. */
  public void invalidateAll() {
    List.copyOf(done).forEach(this::invalidate);
  }

  /** Forgets a namespace that is terminating; one of the same name may follow. */
  public void forget(String namespace) {
    done.remove(namespace);
  }

  @Override
  public void close() {
    loop.close();
  }

  private Outcome attempt(String namespace) {
    // before the check, so that a concurrent change queues it again
    boolean unused = done.add(namespace);
    try {
      ensure(namespace);
      return Outcome.DONE;
    } catch (ApiException e) {
      done.remove(namespace);
      if (e.reason() == Reason.NOT_FOUND || e.reason() == Reason.FORBIDDEN) {
        // the namespace is gone or terminating
        return Outcome.DONE;
      }
      throw e;
    } catch (RuntimeException e) {
      done.remove(namespace);
      throw e;
    }
  }

  /** Creates or restores the objects; throws what the client throws. */
  void ensure(String namespace) {
    if (parts.contains(Part.SERVICE_ACCOUNT)
        && client.get(ACCOUNTS, namespace, ACCOUNT).isEmpty()) {
      create(ACCOUNTS, namespace, new ApiObject(MapNode.of("metadata", name(ACCOUNT))));
    }
    if (parts.contains(Part.ROOT_AUTHORITIES)) {
      ensureAuthorities(namespace);
    }
  }

  private void ensureAuthorities(String namespace) {
    Optional<ApiObject> present = client.get(CONFIG_MAPS, namespace, AUTHORITIES);
    if (present.isEmpty()) {
      create(CONFIG_MAPS, namespace, repaired(new ApiObject(MapNode.EMPTY)));
    } else if (!repaired(present.get()).equals(present.get())) {
      Optional<ApiObject> unused =
          client.change(CONFIG_MAPS, namespace, AUTHORITIES, this::repaired);
    }
  }

  private static MapNode name(String name) {
    return MapNode.of("name", Node.text(name));
  }

  /** Sets the data of the ConfigMap to the CA bundle only. */
  private ApiObject repaired(ApiObject map) {
    MapNode metadata = map.root().map("metadata");
    MapNode annotations = metadata.map("annotations");
    if (annotations.text(DESCRIPTION).isEmpty()) {
      annotations =
          annotations.with(
              DESCRIPTION,
              Node.text(
                  "Contains a CA bundle that can be used to verify the kube-apiserver when using"
                      + " internal endpoints such as the internal service IP or"
                      + " kubernetes.default.svc. No other usage is guaranteed across distributions"
                      + " of Kubernetes clusters."));
    }
    String bundle = RootCaBundle.with(map.root().map("data").text(KEY), authorityPem);
    return new ApiObject(
        map.root()
            .with(
                "metadata",
                metadata.with("name", Node.text(AUTHORITIES)).with("annotations", annotations))
            .with("data", MapNode.of(KEY, Node.text(bundle)))
            .without("binaryData"));
  }

  /** Throws AlreadyExists if another client created the object first; the retry checks it. */
  private void create(GroupVersionResource resource, String namespace, ApiObject object) {
    ApiObject unused = client.create(resource, namespace, object);
  }
}
