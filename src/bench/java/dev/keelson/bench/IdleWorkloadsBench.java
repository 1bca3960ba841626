package dev.keelson.bench;

import dev.keelson.testing.KeelsonProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * 10,000 Deployments of one pod each at rest: processor time (limit 1 % of a processor), and the
 * memory of all controllers, the scheduler and 100 simulated nodes above a server without them on
 * the same store, after a restart of each (limit 80 MiB). The server without them has lists of all
 * their resources in its watch cache as well. The JVM tells its heap after a collection; a native
 * executable only its resident memory.
 */
public final class IdleWorkloadsBench {

  private static final int NODES = 100;
  private static final int DEPLOYMENTS = 10_000;
  private static final long LIMIT_MEBIBYTES = 80;
  private static final Duration REST = Duration.ofSeconds(60);

  /** The heap is trimmed by then, and the compilers are done. */
  private static final Duration SETTLING = Duration.ofSeconds(90);

  private static final List<String> WITHOUT =
      List.of("--controllers=-*", "--scheduler=false", "--simulated-nodes=0");
  private static final List<String> WITH = List.of("--simulated-nodes=" + NODES);

  /** Everything that controllers watch and of which there are objects here. */
  private static final List<String> LISTS =
      List.of(
          "/api/v1/pods",
          "/api/v1/nodes",
          "/api/v1/namespaces",
          "/api/v1/serviceaccounts",
          "/api/v1/configmaps",
          "/apis/apps/v1/deployments",
          "/apis/apps/v1/replicasets",
          "/apis/coordination.k8s.io/v1/leases");

  /**
   * The memory of a server in KiB.
   *
   * @param heap in use after a collection; 0 if it is not known
   * @param resident as Linux counts it
   */
  private record Memory(long heap, long resident) {}

  private IdleWorkloadsBench() {}

  /**
   * Runs.
   *
   * @param arguments none; or the data directory of a run before, to measure the memory alone
   */
  public static void main(String[] arguments) throws IOException {
    Path data = arguments.length == 1 ? Path.of(arguments[0]) : Files.createTempDirectory("idle");
    if (arguments.length == 0) {
      rest(data);
    }
    Memory without = memory(data, "without controllers", WITHOUT);
    Memory with = memory(data, "with all controllers and the scheduler", WITH);
    System.out.printf(
        "above the server without them: %.1f MiB of heap, %.1f MiB resident (limit %d MiB)%n",
        (with.heap() - without.heap()) / 1024.0,
        (with.resident() - without.resident()) / 1024.0,
        LIMIT_MEBIBYTES);
  }

  /**
   * Heartbeats of the nodes are a part of what is used at rest; they are measured alone as well.
   */
  private static void rest(Path data) throws IOException {
    try (SimulatedCluster cluster = SimulatedCluster.start(data, WITH)) {
      cluster.awaitNodes(NODES);
      cluster.measure(
          DEPLOYMENTS + " Deployments of one pod",
          DEPLOYMENTS,
          () -> {
            cluster.createDeployments("idle", DEPLOYMENTS, 1);
            cluster.awaitReady("idle", DEPLOYMENTS, 1);
          });
      LockSupport.parkNanos(SETTLING.toNanos());
      double all = cluster.rest(DEPLOYMENTS + " Deployments", REST);
      cluster.say("data in " + data);
      double nodes = heartbeats();
      cluster.say(
          "Deployments without the heartbeats of %d nodes: %.2f %% (limit 1 %%)"
              .formatted(NODES, 100 * (all - nodes)));
    }
  }

  /** How much of a processor a server uses that has the nodes alone. */
  private static double heartbeats() throws IOException {
    try (SimulatedCluster cluster = SimulatedCluster.start(WITH)) {
      cluster.awaitNodes(NODES);
      LockSupport.parkNanos(SETTLING.toNanos());
      return cluster.rest(NODES + " nodes", REST);
    }
  }

  private static Memory memory(Path data, String what, List<String> flags) throws IOException {
    try (SimulatedCluster cluster = SimulatedCluster.start(data, flags)) {
      for (String list : LISTS) {
        String unused = cluster.get(list + "?resourceVersion=0&limit=1");
      }
      LockSupport.parkNanos(SETTLING.toNanos());
      long heap = KeelsonProcess.isNative() ? 0 : cluster.liveHeapKibibytes();
      Memory memory = new Memory(heap, cluster.server().residentKibibytes());
      cluster.say(
          "%s: %.1f MiB of heap after a collection, %.1f MiB resident"
              .formatted(what, memory.heap() / 1024.0, memory.resident() / 1024.0));
      return memory;
    }
  }
}
