package dev.keelson.controller.serviceaccount;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.object.MapNode;
import dev.keelson.object.Node;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * Makes the service account {@code default} and the ConfigMap {@code kube-root-ca.crt} in every
 * namespace, on one virtual thread a namespace that ends when both are there. Every server does
 * this; what exists is left as it is.
 */
public final class NamespaceDefaults implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(NamespaceDefaults.class);
  private static final GroupVersionResource ACCOUNTS =
      GroupVersion.CORE_V1.resource("serviceaccounts");
  private static final GroupVersionResource CONFIG_MAPS =
      GroupVersion.CORE_V1.resource("configmaps");
  private static final int ATTEMPTS = 10;
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final ResourceClient client;
  private final String authorityPem;
  private final Map<String, Thread> underWay = new ConcurrentHashMap<>();

  /** Namespaces that have both, so that later changes of them cost nothing. */
  private final Set<String> done = ConcurrentHashMap.newKeySet();

  /**
   * Not yet doing anything.
   *
   * @param authorityPem the certificate by which clients know the server
   */
  public NamespaceDefaults(ResourceClient client, String authorityPem) {
    this.client = client;
    this.authorityPem = authorityPem;
  }

  /** Begins to complete the namespace, unless that is done or under way. */
  public void begin(String namespace) {
    if (!done.contains(namespace)) {
      Thread unused =
          underWay.computeIfAbsent(
              namespace,
              name -> Thread.ofVirtual().name("namespace-defaults-" + name).start(() -> run(name)));
    }
  }

  /** The namespace is going: another one of its name begins anew. */
  public void forget(String namespace) {
    done.remove(namespace);
  }

  @Override
  public void close() {
    underWay.values().forEach(Thread::interrupt);
  }

  private void run(String namespace) {
    try {
      for (int i = 0; i < ATTEMPTS; i++) {
        if (attempt(namespace)) {
          done.add(namespace);
          return;
        }
        Thread.sleep(PAUSE);
      }
      LOG.warnf("event=namespace-incomplete namespace=%s", namespace);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      underWay.remove(namespace);
    }
  }

  /** Whether there is nothing left to do. */
  private boolean attempt(String namespace) {
    try {
      ensure(namespace);
      return true;
    } catch (ApiException e) {
      // the namespace is gone or going
      return e.reason() == Reason.NOT_FOUND || e.reason() == Reason.FORBIDDEN;
    } catch (RuntimeException e) {
      LOG.debugf(
          "event=namespace-defaults-failed namespace=%s error=%s", namespace, e.getMessage());
      return false;
    }
  }

  /** Makes what is missing; throws what the client throws. */
  void ensure(String namespace) {
    ensure(ACCOUNTS, namespace, "default", MapNode.EMPTY);
    MapNode data = MapNode.of("ca.crt", Node.text(authorityPem));
    ensure(CONFIG_MAPS, namespace, "kube-root-ca.crt", MapNode.of("data", data));
  }

  private void ensure(GroupVersionResource resource, String namespace, String name, MapNode body) {
    if (client.get(resource, namespace, name).isPresent()) {
      return;
    }
    try {
      ApiObject unused =
          client.create(
              resource,
              namespace,
              new ApiObject(body.with("metadata", MapNode.of("name", Node.text(name)))));
    } catch (ApiException e) {
      if (e.reason() != Reason.ALREADY_EXISTS) {
        throw e;
      }
    }
  }
}
