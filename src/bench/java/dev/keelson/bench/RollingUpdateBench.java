package dev.keelson.bench;

import dev.keelson.testing.EtcdProcess;
import dev.keelson.testing.FreePort;
import dev.keelson.testing.KeelsonProcess;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * Restarts three servers on one etcd one after the other, as a rolling update does, while 10,000
 * watches are open and a client writes: how long it takes each time until every watch is up to
 * date, and whether each has seen every change once. The watches of the server that is away go on
 * at the next one, as behind a load balancer. {@code -Dbench.watches} sets their number, {@code
 * -Dbench.servers} that of the servers, {@code -Dbench.kill=true} kills them rather than stop them.
 */
public final class RollingUpdateBench {

  private static final int WATCHES = Integer.getInteger("bench.watches", 10_000);
  private static final int SERVERS = Integer.getInteger("bench.servers", 3);
  private static final boolean KILL = Boolean.getBoolean("bench.kill");
  private static final int NAMESPACES = 100;
  private static final String TOKEN = "rolling-update";
  private static final long PERIOD_NANOS = 50_000_000;
  private static final long POLL_NANOS = 20_000_000;

  private final List<KeelsonProcess> servers;
  private final WatchClients clients;

  /** One for each server, which has a serving certificate of its own. */
  private final List<HttpClient> writers = new ArrayList<>();

  /** The server that takes the writes; another than the one that is away. */
  private volatile int writable;

  private volatile boolean over;
  private volatile int written;

  private RollingUpdateBench(List<KeelsonProcess> servers, WatchClients clients) {
    this.servers = servers;
    this.clients = clients;
    for (KeelsonProcess server : servers) {
      writers.add(HttpClient.newBuilder().sslContext(server.kubeconfig().asUser()).build());
    }
    writable = servers.size() - 1;
  }

  /** Runs it and leaves {@code target/bench/rolling-update.txt}. */
  public static void main(String... arguments) throws Exception {
    Path directory = Files.createDirectories(Path.of("target", "bench"));
    String result = run(Files.createTempDirectory(directory, "rolling-update"));
    Files.writeString(directory.resolve("rolling-update.txt"), result, StandardCharsets.UTF_8);
    System.out.print(result);
  }

  private static String run(Path directory) throws Exception {
    Path tokens = directory.resolve("tokens");
    Files.writeString(tokens, TOKEN + ",watcher,1,system:masters\n", StandardCharsets.US_ASCII);
    List<Integer> ports = new ArrayList<>();
    List<KeelsonProcess> servers = new ArrayList<>();
    try (EtcdProcess etcd = EtcdProcess.create().start()) {
      for (int i = 0; i < SERVERS; i++) {
        ports.add(FreePort.find());
        servers.add(
            KeelsonProcess.start(
                directory.resolve("server-" + i),
                List.of(
                    "--etcd-servers=" + etcd.endpoint(),
                    "--secure-port=" + ports.getLast(),
                    "--token-auth-file=" + tokens,
                    KeelsonProcess.FEW_CONTROLLERS)));
      }
      try (WatchClients clients = new WatchClients(TOKEN, ports, WATCHES)) {
        return new RollingUpdateBench(servers, clients).roll(etcd);
      }
    } finally {
      servers.forEach(KeelsonProcess::close);
    }
  }

  private String roll(EtcdProcess etcd) throws Exception {
    for (int i = 0; i < NAMESPACES; i++) {
      long unused = post("/api/v1/namespaces", "space-" + i);
    }
    long begin = post(space(0), "first");
    for (int i = 0; i < WATCHES; i++) {
      // so that each server has watches of each namespace
      clients.add(space(i / SERVERS % NAMESPACES), begin);
    }
    RolloverBench.await("all watches are open", () -> clients.open() == WATCHES);
    StringBuilder result = new StringBuilder();
    result.append(
        String.format(
            Locale.ROOT,
            "%d servers, %,d watches of %d namespaces, %s one after the other, %.0f writes a second%n",
            SERVERS,
            WATCHES,
            NAMESPACES,
            KILL ? "killed" : "stopped",
            1e9 / PERIOD_NANOS));
    CompletableFuture<Void> writer = CompletableFuture.runAsync(this::write);
    Duration etcdBefore = etcd.cpuTime();
    long beginning = System.nanoTime();
    for (int i = 0; i < SERVERS; i++) {
      result.append(restart(i));
    }
    double seconds = (System.nanoTime() - beginning) / 1e9;
    over = true;
    writer.join();
    writers.forEach(HttpClient::close);
    long expected = 0;
    for (int i = 0; i < written; i++) {
      expected += watchesOf(i % NAMESPACES);
    }
    long all = expected;
    RolloverBench.await("all events have come", () -> clients.events() >= all);
    // one that comes twice comes soon
    LockSupport.parkNanos(2_000_000_000);
    result.append(
        String.format(
            Locale.ROOT,
            "all of them in %.1f s, while %,d objects were written: %,d events of %,d, %,d attempts,"
                + " %,d refused, %,d expired, CPU of etcd %.1f s%n",
            seconds,
            written,
            clients.events(),
            expected,
            clients.attempts() - WATCHES,
            clients.refused(),
            clients.expired(),
            etcd.cpuTime().minus(etcdBefore).toMillis() / 1e3));
    return result.toString();
  }

  private String restart(int index) throws Exception {
    KeelsonProcess server = servers.get(index);
    synchronized (this) {
      writable = (index + 1) % SERVERS;
    }
    long moved = clients.at(index);
    long begin = System.nanoTime();
    if (KILL) {
      server.kill();
    } else {
      int unused = server.stop();
    }
    double away = (System.nanoTime() - begin) / 1e9;
    // whoever has seen what follows in its namespace is up to date
    long first = one();
    for (int i = 1; i < NAMESPACES; i++) {
      long unused = one();
    }
    server.start();
    double half = 0;
    double most = 0;
    while (true) {
      long reached = clients.reached(first);
      double now = (System.nanoTime() - begin) / 1e9;
      half = half == 0 && reached >= WATCHES - moved / 2 ? now : half;
      most = most == 0 && reached >= WATCHES - moved / 100 ? now : most;
      if (reached == WATCHES) {
        return String.format(
            Locale.ROOT,
            "server %d: ended in %.1f s, started in %.2f s, %,d watches moved and were up to date"
                + " after half %.1f s, 99 %% %.1f s, all %.1f s; resident of the servers %s MiB%n",
            index + 1,
            away,
            server.startTime().toMillis() / 1e3,
            moved,
            half,
            most,
            now,
            servers.stream().map(one -> one.residentKibibytes() / 1024).toList());
      }
      if (now > 180) {
        throw new IllegalStateException(reached + " of " + WATCHES + " watches are up to date");
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private void write() {
    try {
      while (!over) {
        long unused = one();
        LockSupport.parkNanos(PERIOD_NANOS);
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Writes an object into the next namespace; returns its revision. */
  private synchronized long one() throws IOException, InterruptedException {
    int number = written;
    long revision = post(space(number % NAMESPACES), "m" + number);
    written = number + 1;
    return revision;
  }

  private long post(String path, String name) throws IOException, InterruptedException {
    int server = writable;
    return RolloverBench.post(writers.get(server), servers.get(server), path, name);
  }

  private static String space(int number) {
    return "/api/v1/namespaces/space-" + number + "/secrets";
  }

  private static int watchesOf(int space) {
    int watches = 0;
    for (int i = 0; i < WATCHES; i++) {
      if (i / SERVERS % NAMESPACES == space) {
        watches++;
      }
    }
    return watches;
  }
}
