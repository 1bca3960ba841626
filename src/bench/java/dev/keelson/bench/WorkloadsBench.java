package dev.keelson.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Deployments that become ready on simulated nodes of one packaged server, with its controllers and
 * its scheduler (limits on two processors, SQLite): one of 1,000 replicas within 20 s; 1,000 of
 * three within 60 s; under 8 ms of CPU a pod from Deployment to Ready; under 1 % of a processor
 * when nothing happens. {@link IdleWorkloadsBench} has ten times as many.
 */
public final class WorkloadsBench {

  private static final int NODES = 40;
  private static final int REPLICAS = 1_000;
  private static final int MANY = 1_000;
  private static final int OF_MANY = 3;
  private static final Duration REST = Duration.ofSeconds(30);

  private final SimulatedCluster cluster;

  private WorkloadsBench(SimulatedCluster cluster) {
    this.cluster = cluster;
  }

  /** Runs; takes no arguments. */
  public static void main(String[] arguments) throws IOException {
    try (SimulatedCluster cluster = SimulatedCluster.start(List.of("--simulated-nodes=" + NODES))) {
      new WorkloadsBench(cluster).run();
    }
  }

  private void run() {
    cluster.awaitNodes(NODES);
    deployments("one Deployment of ten pods, the first", "first", 1, 10);
    deployments("one Deployment of 1,000 pods (limit 20 s, 8 ms)", "large", 1, REPLICAS);
    deployments("1,000 Deployments of three pods (limit 60 s, 8 ms)", "small", MANY, OF_MANY);
    double unused = cluster.rest("%d pods (limit 1 %%)".formatted(cluster.pods()), REST);
  }

  private void deployments(String what, String name, int count, int replicas) {
    cluster.measure(
        what,
        count * replicas,
        () -> {
          cluster.createDeployments(name, count, replicas);
          cluster.awaitReady(name, count, replicas);
        });
  }
}
