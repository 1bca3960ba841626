package dev.keelson.server;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Creates under quotas through two servers of one store, without HTTP: 64 clients and 10,000
 * creates against a quota of 100, which must be exact, and the cost of a quota that is not full.
 * With {@code -Dkeelson.bench.etcd=HOST:PORT} the store is that etcd, otherwise one SQLite file.
 */
public final class QuotaBench {

  private static final int CLIENTS = 64;
  private static final int CREATES = Integer.getInteger("keelson.bench.creates", 10_000);
  private static final int MOST = 100;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final GroupVersionResource QUOTAS =
      GroupVersion.CORE_V1.resource("resourcequotas");
  private static final GroupVersionResource LEASES =
      new GroupVersion("coordination.k8s.io", "v1").resource("leases");
  private static final String COUNT = "count/leases.coordination.k8s.io";

  private final ComposedServer first;
  private final ComposedServer second;

  private QuotaBench(ComposedServer first, ComposedServer second) {
    this.first = first;
    this.second = second;
  }

  /** Prints a line for each load. */
  public static void main(String... arguments) throws Exception {
    try (TwoServers servers = TwoServers.start("quota-bench")) {
      new QuotaBench(servers.first(), servers.second()).run();
    }
  }

  private void run() throws Exception {
    List<ComposedServer> both = List.of(first, second);
    load("warm-up", "warm", 1_000_000, both);
    load("no quota", "none", 0, both);
    load("large quota, one server", "one", 1_000_000, List.of(first));
    load("large quota", "large", 1_000_000, both);
    int accepted = load("quota of " + MOST, "small", MOST, both);
    int stored = first.client().count(LEASES, "small");
    String used = used("small");
    System.out.printf(
        Locale.ROOT,
        "quota of %d: accepted %d, stored %d, used %s%n",
        MOST,
        accepted,
        stored,
        used);
    if (accepted != MOST || stored != MOST || !used.equals(Integer.toString(MOST))) {
      throw new IllegalStateException("the quota is not exact");
    }
  }

  private String used(String namespace) {
    return first
        .client()
        .get(QUOTAS, namespace, "q")
        .map(quota -> quota.root().map("status").map("used").text(COUNT))
        .orElse("");
  }

  private int load(String name, String namespace, int most, List<ComposedServer> servers)
      throws Exception {
    ApiObject unusedNamespace =
        first.client().create(GroupVersion.CORE_V1.resource("namespaces"), "", named(namespace));
    if (most > 0) {
      enforce(namespace, most);
    }
    AtomicInteger next = new AtomicInteger();
    AtomicInteger accepted = new AtomicInteger();
    long start = System.nanoTime();
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        ComposedServer server = servers.get(i % servers.size());
        all.add(
            clients.submit(
                () -> {
                  for (int n = next.getAndIncrement(); n < CREATES; n = next.getAndIncrement()) {
                    create(server, namespace, "l" + n, accepted);
                  }
                }));
      }
      for (Future<?> each : all) {
        Object unused = each.get();
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        Locale.ROOT,
        "%-24s %d creates by %d clients: %d accepted, %.1f s, %.0f/s%n",
        name,
        CREATES,
        CLIENTS,
        accepted.get(),
        seconds,
        CREATES / seconds);
    return accepted.get();
  }

  private void enforce(String namespace, int most) throws InterruptedException {
    MapNode hard = MapNode.of(COUNT, Node.text(Integer.toString(most)));
    ApiObject quota = named("q").with("spec", MapNode.of("hard", hard));
    ApiObject unused = first.client().create(QUOTAS, namespace, quota);
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!used(namespace).equals("0")) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException("the quota has no status");
      }
      Thread.sleep(Duration.ofMillis(5));
    }
  }

  private static void create(
      ComposedServer server, String namespace, String name, AtomicInteger accepted) {
    try {
      ApiObject made = server.client().create(LEASES, namespace, named(name));
      if (Optional.of(made.meta().name()).filter(name::equals).isPresent()) {
        int unused = accepted.incrementAndGet();
      }
    } catch (ApiException e) {
      if (e.reason() != Reason.FORBIDDEN) {
        throw e;
      }
    }
  }

  private static ApiObject named(String name) {
    return new ApiObject(MapNode.of("metadata", MapNode.of("name", Node.text(name))));
  }
}
