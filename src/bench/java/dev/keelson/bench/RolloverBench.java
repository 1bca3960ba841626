package dev.keelson.bench;

import dev.keelson.testing.EtcdProcess;
import dev.keelson.testing.FreePort;
import dev.keelson.testing.KeelsonProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Restarts one of two servers on one etcd, which has 10,000 watches, while the other one takes
 * writes: how long it takes until every watch has resumed without loss, and what that costs. {@code
 * -Dbench.watches} sets their number, {@code -Dbench.kill=true} kills the server rather than stop
 * it.
 */
public final class RolloverBench {

  private static final int WATCHES = Integer.getInteger("bench.watches", 10_000);
  private static final int NAMESPACES = 100;
  private static final int MISSED = 5;
  private static final String SPACE = "/api/v1/namespaces/space-";

  private RolloverBench() {}

  /** Runs it and leaves {@code target/bench/rollover.txt}. */
  public static void main(String... arguments) throws Exception {
    Path directory = Files.createDirectories(Path.of("target", "bench"));
    String result = run(Files.createTempDirectory(directory, "rollover"));
    Files.writeString(directory.resolve("rollover.txt"), result, StandardCharsets.UTF_8);
    System.out.print(result);
  }

  private static String run(Path directory) throws Exception {
    int port = FreePort.find();
    try (EtcdProcess etcd = EtcdProcess.create().start();
        KeelsonProcess other = start(directory.resolve("other"), etcd, 0);
        KeelsonProcess server = start(directory.resolve("server"), etcd, port);
        HttpClient http = HttpClient.newBuilder().sslContext(other.kubeconfig().asUser()).build();
        WatchClients clients = new WatchClients(server.kubeconfig(), port, WATCHES)) {
      for (int i = 0; i < NAMESPACES; i++) {
        post(http, other, "/api/v1/namespaces", "space-" + i);
      }
      long begin = post(http, other, SPACE + "0/secrets", "first");
      for (int i = 0; i < WATCHES; i++) {
        clients.add(SPACE + i % NAMESPACES + "/secrets", begin);
      }
      await("all watches are open", () -> clients.open() == WATCHES);
      long resident = server.residentKibibytes();
      double streams = etcd.metric("etcd_debugging_mvcc_watcher_total");

      if (Boolean.getBoolean("bench.kill")) {
        server.kill();
      } else {
        int unused = server.stop();
      }
      long down = System.nanoTime();
      for (int i = 0; i < MISSED * NAMESPACES; i++) {
        long unused = post(http, other, SPACE + i % NAMESPACES + "/secrets", "m" + i);
      }
      long attemptsBefore = clients.attempts();
      Duration etcdBefore = etcd.cpuTime();
      server.start();
      long up = System.nanoTime();
      double most = streams;
      long expected = (long) WATCHES * MISSED;
      long deadline = System.nanoTime() + Duration.ofMinutes(3).toNanos();
      while (clients.events() < expected && System.nanoTime() < deadline) {
        most = Math.max(most, etcd.metric("etcd_debugging_mvcc_watcher_total"));
        LockSupport.parkNanos(100_000_000);
      }
      long[] times = clients.times();
      return String.format(
          Locale.ROOT,
          "%,d watches of %d namespaces, %s, %d events missed by each; the server was away for %.1f"
              + " s, start %.1f s%n"
              + "resumed and caught up after the ready line: median %.1f s, 99 %% %.1f s, all %.1f s;"
              + " %,d of %,d events, %,d attempts, %,d refused, %,d expired%n"
              + "CPU of the server until then %.1f s with its start, of etcd %.1f s; watches of etcd"
              + " before %.0f, most %.0f, after %.0f; resident before %,d MiB, after %,d MiB%n",
          WATCHES,
          NAMESPACES,
          Boolean.getBoolean("bench.kill") ? "killed" : "stopped",
          MISSED,
          (up - down) / 1e9,
          server.startTime().toMillis() / 1e3,
          (times[times.length / 2] - up) / 1e9,
          (times[times.length * 99 / 100] - up) / 1e9,
          (times[times.length - 1] - up) / 1e9,
          clients.events(),
          expected,
          clients.attempts() - attemptsBefore,
          clients.refused(),
          clients.expired(),
          server.cpuTime().toMillis() / 1e3,
          etcd.cpuTime().minus(etcdBefore).toMillis() / 1e3,
          streams,
          most,
          etcd.metric("etcd_debugging_mvcc_watcher_total"),
          resident / 1024,
          server.residentKibibytes() / 1024);
    }
  }

  private static KeelsonProcess start(Path directory, EtcdProcess etcd, int port) {
    return KeelsonProcess.start(
        directory,
        List.of(
            "--etcd-servers",
            etcd.endpoint().toString(),
            "--secure-port",
            Integer.toString(port),
            KeelsonProcess.FEW_CONTROLLERS));
  }

  static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofMinutes(3).toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("not within three minutes: " + what);
      }
      LockSupport.parkNanos(50_000_000);
    }
  }

  /** Creates an object; returns its revision. */
  static long post(HttpClient http, KeelsonProcess server, String path, String name)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.address() + path))
            .header("Content-Type", "application/json")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"metadata\":{\"name\":\"%s\"}}".formatted(name)))
            .build();
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 201) {
      throw new IllegalStateException(answer.body());
    }
    String mark = "\"resourceVersion\":\"";
    int at = answer.body().indexOf(mark) + mark.length();
    return Long.parseLong(answer.body().substring(at, answer.body().indexOf('"', at)));
  }
}
