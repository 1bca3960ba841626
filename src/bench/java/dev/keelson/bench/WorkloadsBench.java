package dev.keelson.bench;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import io.restassured.response.Response;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * Deployments that become ready on simulated nodes of one packaged server, with its controllers and
 * its scheduler (limits on two processors, SQLite): one of 1,000 replicas within 20 s; 1,000 of
 * three within 60 s; under 8 ms of CPU a pod from Deployment to Ready; under 1 % of a processor
 * when nothing happens.
 */
public final class WorkloadsBench {

  private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
  private static final int NODES = 40;
  private static final int REPLICAS = 1_000;
  private static final int MANY = 1_000;
  private static final int OF_MANY = 3;
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Duration IDLE = Duration.ofSeconds(30);

  private final PrintStream out;
  private final KeelsonProcess server;
  private final RestClient client;

  private WorkloadsBench(PrintStream out, KeelsonProcess server) {
    this.out = out;
    this.server = server;
    this.client = RestClient.administrator(server);
  }

  /** Runs; takes no arguments. */
  public static void main(String[] arguments) throws IOException {
    Path directory = Files.createTempDirectory("workloads");
    try (KeelsonProcess server =
        KeelsonProcess.start(directory, List.of("--simulated-nodes=" + NODES))) {
      new WorkloadsBench(System.out, server).run();
    }
  }

  private void run() {
    await(() -> count("/api/v1/nodes", "items.size()") == NODES);
    measure("one Deployment of ten pods, the first", 10, () -> create("first", 10));
    measure(
        "one Deployment of 1,000 pods (limit 20 s, 8 ms)",
        REPLICAS,
        () -> create("large", REPLICAS));
    measure(
        "1,000 Deployments of three pods (limit 60 s, 8 ms)",
        MANY * OF_MANY,
        () -> {
          for (int i = 0; i < MANY; i++) {
            create("small" + i, OF_MANY);
          }
        });
    Duration before = server.cpuTime();
    LockSupport.parkNanos(IDLE.toNanos());
    Duration used = server.cpuTime().minus(before);
    out.printf(
        Locale.ROOT,
        "at rest with %d pods: %.2f %% of a processor, %d MiB resident%n",
        10 + REPLICAS + MANY * OF_MANY,
        100.0 * used.toNanos() / IDLE.toNanos(),
        server.residentKibibytes() >> 10);
  }

  private void measure(String what, int pods, Runnable work) {
    int ready = readyPods();
    Duration cpu = server.cpuTime();
    long begin = System.nanoTime();
    work.run();
    await(() -> readyPods() == ready + pods);
    double seconds = (System.nanoTime() - begin) / 1e9;
    double millis = server.cpuTime().minus(cpu).toNanos() / 1e6 / pods;
    out.printf(Locale.ROOT, "%s: %.1f s, %.2f ms of CPU a pod%n", what, seconds, millis);
  }

  private int readyPods() {
    return count(
        DEPLOYMENTS + "?resourceVersion=0", "items.status.readyReplicas.findAll{it!=null}.sum()");
  }

  private int count(String path, String expression) {
    Number number = client.get(path).jsonPath().get(expression);
    return number == null ? 0 : number.intValue();
  }

  private void create(String name, int replicas) {
    Response response =
        client.post(
            DEPLOYMENTS,
            """
            {"metadata":{"name":"%1$s"},"spec":{"replicas":%2$d,
            "selector":{"matchLabels":{"app":"%1$s"}},
            "template":{"metadata":{"labels":{"app":"%1$s"}},
            "spec":{"containers":[{"name":"main","image":"nginx",
            "resources":{"requests":{"cpu":"10m","memory":"16Mi"}}}]}}}}
            """
                .formatted(name, replicas));
    if (response.statusCode() != 201) {
      throw new IllegalStateException(response.asString());
    }
  }

  /** A condition of the server. */
  @FunctionalInterface
  private interface Condition {
    boolean holds();
  }

  private static void await(Condition condition) {
    while (!condition.holds()) {
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }
}
