package dev.keelson.bench;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Pods that wait, on 1,000 simulated nodes of one packaged server (limit: 500 pods bound a second).
 * One client creates them one after another; the time in which the scheduler chooses nodes is told
 * beside it, since that client may be slower.
 */
public final class SchedulerBench {

  private static final int NODES = 1_000;
  private static final int PODS = 2_000;
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Pattern CHOSEN =
      Pattern.compile("scheduler_scheduling_algorithm_duration_seconds_(count|sum) ([0-9.E-]+)");

  private final PrintStream out;
  private final KeelsonProcess server;
  private final RestClient client;

  private SchedulerBench(PrintStream out, KeelsonProcess server) {
    this.out = out;
    this.server = server;
    this.client = RestClient.administrator(server);
  }

  /** Runs; takes no arguments. */
  public static void main(String[] arguments) throws IOException {
    Path directory = Files.createTempDirectory("scheduler");
    try (KeelsonProcess server =
        KeelsonProcess.start(directory, List.of("--simulated-nodes=" + NODES))) {
      new SchedulerBench(System.out, server).run();
    }
  }

  private void run() {
    await(() -> nodes() == NODES);
    // the first pods warm the compiler
    measure("warm", PODS / 4);
    measure("pods", PODS);
  }

  private int nodes() {
    return client.get("/api/v1/nodes?resourceVersion=0").jsonPath().getInt("items.size()");
  }

  private void measure(String name, int count) {
    double[] before = chosen();
    Duration cpu = server.cpuTime();
    long begin = System.nanoTime();
    for (int i = 0; i < count; i++) {
      create(name + "-" + i);
    }
    await(() -> chosen()[0] - before[0] >= count);
    double seconds = (System.nanoTime() - begin) / 1e9;
    double[] after = chosen();
    out.printf(
        Locale.ROOT,
        "%d pods on %d nodes: created and bound in %.1f s, %.0f a second; a node chosen in %.3f ms,"
            + " %.0f a second; %.2f ms of CPU of the server a pod%n",
        count,
        NODES,
        seconds,
        count / seconds,
        (after[1] - before[1]) / count * 1e3,
        count / (after[1] - before[1]),
        server.cpuTime().minus(cpu).toNanos() / 1e6 / count);
  }

  /** The number of chosen nodes, and the seconds that it took. */
  private double[] chosen() {
    double[] found = new double[2];
    Matcher matcher = CHOSEN.matcher(client.get("/metrics").asString());
    while (matcher.find()) {
      found[matcher.group(1).equals("count") ? 0 : 1] = Double.parseDouble(matcher.group(2));
    }
    return found;
  }

  private void create(String name) {
    var response =
        client.post(
            "/api/v1/namespaces/default/pods",
            """
            {"metadata":{"name":"%s","labels":{"app":"bench"}},"spec":{"containers":[{
            "name":"main","image":"nginx","resources":{"requests":{"cpu":"10m","memory":"16Mi"}}}]}}
            """
                .formatted(name));
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
