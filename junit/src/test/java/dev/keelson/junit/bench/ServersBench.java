package dev.keelson.junit.bench;

import dev.keelson.junit.KeelsonServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import java.util.HashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Starts, memory and 1,000 creates and lists of this library beside fabric8's mock server in CRUD
 * mode, with the same client, and what each does. Run by {@code make junit-bench}; the argument is
 * {@code keelson} or {@code mock}, one a JVM, so that the first start is cold.
 */
public final class ServersBench {

  private static final int OBJECTS = 1000;
  private static final int LIST_EVERY = 10;
  private static final int STARTS = 5;

  private ServersBench() {}

  /** A server and how it is closed. */
  private interface Started extends AutoCloseable {
    KubernetesClient client();

    @Override
    void close();
  }

  /** Prints the figures. */
  public static void main(String... arguments) {
    String kind = arguments[0];
    for (int i = 1; i <= STARTS; i++) {
      long begin = System.nanoTime();
      try (Started started = start(kind)) {
        long up = System.nanoTime();
        started.client().configMaps().inNamespace("default").list();
        print(kind + " start " + i, up - begin);
        print(kind + " first answer " + i, System.nanoTime() - up);
        if (i == STARTS) {
          cycles(kind, started.client());
          probes(kind, started.client());
        }
      }
    }
  }

  private static Started start(String kind) {
    if (kind.equals("keelson")) {
      KeelsonServer server = KeelsonServer.start();
      KubernetesClient client = server.fabric8();
      return started(client, server::close);
    }
    KubernetesMockServer server =
        new KubernetesMockServer(
            new Context(),
            new MockWebServer(),
            new HashMap<>(),
            new KubernetesCrudDispatcher(),
            true);
    server.init();
    return started(server.createClient(), server::destroy);
  }

  private static Started started(KubernetesClient client, Runnable close) {
    return new Started() {
      @Override
      public KubernetesClient client() {
        return client;
      }

      @Override
      public void close() {
        client.close();
        close.run();
      }
    };
  }

  private static ConfigMap object(String name) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("default")
        .endMetadata()
        .addToData("k", "v")
        .build();
  }

  private static void cycles(String kind, KubernetesClient client) {
    long begin = System.nanoTime();
    for (int i = 0; i < OBJECTS; i++) {
      client.resource(object("c" + i)).create();
      if (i % LIST_EVERY == 0) {
        client.configMaps().inNamespace("default").withLabel("none").list();
      }
    }
    print(kind + " 1,000 creates, 100 lists", System.nanoTime() - begin);
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    System.out.printf(
        "%s heap in use %d MiB%n", kind, (runtime.totalMemory() - runtime.freeMemory()) >> 20);
  }

  private static void probes(String kind, KubernetesClient client) {
    probe(
        kind,
        "refuses an invalid object",
        () ->
            fails(
                () ->
                    client
                        .resource(
                            new PodBuilder()
                                .withNewMetadata()
                                .withName("Not_A_Name")
                                .withNamespace("default")
                                .endMetadata()
                                .build())
                        .create()));
    probe(
        kind,
        "refuses objects in a missing namespace",
        () ->
            fails(
                () -> {
                  ConfigMap lost = object("lost");
                  lost.getMetadata().setNamespace("no-such-namespace");
                  client.resource(lost).create();
                }));
    probe(
        kind,
        "finds conflicts of server-side apply",
        () -> {
          client.resource(object("applied")).fieldManager("one").serverSideApply();
          ConfigMap other = object("applied");
          other.getData().put("k", "w");
          return fails(() -> client.resource(other).fieldManager("two").serverSideApply());
        });
    probe(
        kind,
        "refuses an update of an old version",
        () -> {
          ConfigMap old = client.resource(object("versioned")).create();
          ConfigMap next = client.resource(object("versioned")).get();
          next.getData().put("k", "w");
          client.resource(next).update();
          return fails(() -> client.resource(old).lockResourceVersion().update());
        });
    ConfigMap first = client.resource(object("first")).create();
    client.resource(object("second")).create();
    probe(
        kind,
        "watches from a resource version",
        () -> watched(client, first.getMetadata().getResourceVersion(), "second"));
    client
        .resource(
            new NamespaceBuilder().withNewMetadata().withName("emptied").endMetadata().build())
        .create();
    ConfigMap inside = object("inside");
    inside.getMetadata().setNamespace("emptied");
    client.resource(inside).create();
    client.namespaces().withName("emptied").delete();
    probe(
        kind,
        "empties a deleted namespace",
        () -> within(() -> client.configMaps().inNamespace("emptied").list().getItems().isEmpty()));
    ConfigMap owner = client.resource(object("owner")).create();
    ConfigMap dependent = object("dependent");
    dependent.addOwnerReference(owner);
    client.resource(dependent).create();
    client.resource(owner).delete();
    probe(
        kind,
        "collects dependents",
        () ->
            within(
                () ->
                    client.configMaps().inNamespace("default").withName("dependent").get()
                        == null));
    probe(
        kind,
        "answers access reviews by RBAC",
        () ->
            !fails(
                () ->
                    client
                        .authorization()
                        .v1()
                        .selfSubjectAccessReview()
                        .create(
                            new io.fabric8.kubernetes.api.model.authorization.v1
                                    .SelfSubjectAccessReviewBuilder()
                                .withNewSpec()
                                .withNewResourceAttributes()
                                .withVerb("get")
                                .withResource("pods")
                                .endResourceAttributes()
                                .endSpec()
                                .build())
                        .getStatus()
                        .getAllowed()));
  }

  /** Whether the condition becomes true within five seconds. */
  private static boolean within(BooleanSupplier condition) {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < 5_000_000_000L) {
      if (condition.getAsBoolean()) {
        return true;
      }
      LockSupport.parkNanos(20_000_000);
    }
    return false;
  }

  private static boolean watched(KubernetesClient client, String version, String name) {
    AtomicBoolean seen = new AtomicBoolean();
    Watcher<ConfigMap> watcher =
        new Watcher<>() {
          @Override
          public void eventReceived(Action action, ConfigMap object) {
            if (object.getMetadata().getName().equals(name)) {
              seen.set(true);
            }
          }

          @Override
          public void onClose(WatcherException cause) {
            // the answer is that nothing was seen
          }
        };
    try (Watch watch =
        client
            .configMaps()
            .inNamespace("default")
            .watch(new ListOptionsBuilder().withResourceVersion(version).build(), watcher)) {
      return within(seen::get);
    }
  }

  private static boolean fails(Runnable action) {
    try {
      action.run();
      return false;
    } catch (KubernetesClientException | NullPointerException e) {
      return true;
    }
  }

  private static void probe(String kind, String what, BooleanSupplier holds) {
    String answer;
    try {
      answer = holds.getAsBoolean() ? "yes" : "no";
    } catch (KubernetesClientException e) {
      answer = "no (" + e.getCode() + ")";
    }
    System.out.printf("%s %s: %s%n", kind, what, answer);
  }

  private static void print(String what, long nanos) {
    System.out.printf("%s: %d ms%n", what, nanos / 1_000_000);
  }
}
