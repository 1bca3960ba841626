package dev.keelson.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Pods that wait, on 1,000 simulated nodes of one packaged server (limit: 500 pods bound a second).
 * Eight clients create them faster than the scheduler binds them; the time in which it chooses
 * nodes is printed beside, since clients, API server and simulated kubelets have the same two
 * processors. The heartbeats of the nodes are measured alone in the end, beside renewals by clients
 * over TLS.
 */
public final class SchedulerBench {

  private static final int NODES = 1_000;
  private static final int PODS = 2_000;
  private static final int ROUNDS = 4;
  private static final int RENEWALS = 5;
  private static final Duration REST = Duration.ofSeconds(30);
  private static final Pattern CHOSEN =
      Pattern.compile("scheduler_scheduling_algorithm_duration_seconds_(count|sum) ([0-9.e+-]+)");

  private final SimulatedCluster cluster;

  private SchedulerBench(SimulatedCluster cluster) {
    this.cluster = cluster;
  }

  /** Runs; takes no arguments. */
  public static void main(String[] arguments) throws IOException {
    try (SimulatedCluster cluster = SimulatedCluster.start(List.of("--simulated-nodes=" + NODES))) {
      new SchedulerBench(cluster).run();
    }
  }

  private void run() {
    cluster.awaitNodes(NODES);
    // the first pods warm the compiler
    measure("warm", PODS);
    for (int i = 0; i < ROUNDS; i++) {
      measure("round" + i, PODS);
    }
    double share = cluster.rest(NODES + " nodes", REST);
    renewals(share);
  }

  /**
   * Renewals of Leases by clients, beside those of the simulated nodes every ten seconds.
   *
   * @param share of a processor that the server uses at rest
   */
  private void renewals(double share) {
    String[] leases = cluster.createLeases(NODES);
    Duration cpu = cluster.server().cpuTime();
    long begin = System.nanoTime();
    for (int i = 0; i < RENEWALS; i++) {
      cluster.renewLeases(leases);
    }
    double used = cluster.server().cpuTime().minus(cpu).toNanos();
    double own = used - share * (System.nanoTime() - begin);
    cluster.say(
        "a renewal: %.3f ms of CPU of the server by a simulated node, %.3f ms by a client"
            .formatted(share * 1e4 / NODES, own / 1e6 / NODES / RENEWALS));
  }

  private void measure(String name, int count) {
    double[] before = chosen();
    long begin = System.nanoTime();
    cluster.measure(
        "%s: %d pods created, bound and run on %d nodes".formatted(name, count, NODES),
        count,
        () -> {
          cluster.createPods(name, count);
          cluster.say("created in %.1f s".formatted((System.nanoTime() - begin) / 1e9));
          SimulatedCluster.await(() -> chosen()[0] - before[0] >= count);
        });
    double[] after = chosen();
    double each = (after[1] - before[1]) / (after[0] - before[0]);
    cluster.say(
        "%s: a node chosen in %.3f ms, %.0f a second".formatted(name, each * 1e3, 1 / each));
  }

  /** The number of chosen nodes, and the seconds that it took. */
  private double[] chosen() {
    double[] found = new double[2];
    Matcher matcher = CHOSEN.matcher(cluster.get("/metrics"));
    while (matcher.find()) {
      found[matcher.group(1).equals("count") ? 0 : 1] = Double.parseDouble(matcher.group(2));
    }
    return found;
  }
}
