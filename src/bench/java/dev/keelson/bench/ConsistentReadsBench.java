package dev.keelson.bench;

import com.google.errorprone.annotations.FormatMethod;
import dev.keelson.testing.EtcdProcess;
import dev.keelson.testing.KeelsonProcess;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.SSLContext;

/**
 * GETs on etcd, which ask etcd for its revision, beside a constant answer and beside the same GETs
 * of any state ({@code resourceVersion=0}), which ask nothing: rates, the processor time of the
 * server and of etcd for each, and the calls to etcd for each. The three take turns, so that noise
 * affects all; the medians are printed.
 *
 * <p>{@code -Dkeelson.bench.before=DIRECTORY} measures another build as well, in the same rounds:
 * the directory holds its {@code bin} and {@code target/quarkus-app} (or its executable). {@code
 * -Dkeelson.bench.clients=1,16,64}, {@code -Dkeelson.bench.rounds=5}, {@code
 * -Dkeelson.bench.seconds=2} and {@code -Dkeelson.bench.warm=15} (seconds) choose what is measured
 * and how long.
 */
public final class ConsistentReadsBench {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  /** The calls of etcd that read, of which only reads of its revision are made here. */
  private static final String CALLS =
      "grpc_server_handled_total{grpc_code=\"OK\",grpc_method=\"Range\","
          + "grpc_service=\"etcdserverpb.KV\",grpc_type=\"unary\"}";

  private static final String CONSTANT = "constant";

  private static final List<String> WAYS = List.of(CONSTANT, "any", "newest");

  private final PrintStream out;

  /** A second's operations, and what each costs. */
  private record Rate(
      double perSecond, double p99Millis, double cpuMicros, double etcdMicros, double calls) {}

  private ConsistentReadsBench(PrintStream out) {
    this.out = out;
  }

  /** Runs everything; leaves {@code target/bench/consistent-reads.txt}. */
  public static void main(String... arguments) throws Exception {
    if (System.getProperty("keelson.java.options") == null) {
      System.setProperty("keelson.java.options", "-Xmx512m -XX:+UseSerialGC");
    }
    Path directory = Files.createDirectories(Path.of("target", "bench"));
    try (PrintStream file =
        new PrintStream(
            Files.newOutputStream(directory.resolve("consistent-reads.txt")),
            true,
            StandardCharsets.UTF_8)) {
      new ConsistentReadsBench(file).run(Files.createTempDirectory(directory, "looks"));
    }
  }

  private void run(Path directory) throws Exception {
    say("load average before: %s", Files.readString(Path.of("/proc/loadavg")).strip());
    String before = System.getProperty("keelson.bench.before", "");
    Map<String, KeelsonProcess> servers = new LinkedHashMap<>();
    try (EtcdProcess etcd = EtcdProcess.create().start()) {
      try {
        if (!before.isEmpty()) {
          String command = "shift; exec " + Path.of(before, "bin", "keelson") + " \"$@\"";
          servers.put(
              "before",
              start(directory.resolve("before"), etcd, List.of("/bin/sh", "-c", command, "sh")));
        }
        servers.put("now", start(directory.resolve("now"), etcd, List.of()));
        measure(servers, etcd);
      } finally {
        servers.values().forEach(KeelsonProcess::close);
      }
    }
  }

  private static KeelsonProcess start(Path data, EtcdProcess etcd, List<String> launcher)
      throws Exception {
    return KeelsonProcess.startWith(
        launcher,
        Files.createDirectories(data),
        List.of(
            "--etcd-servers=" + etcd.endpoint(),
            "--max-requests-inflight=0",
            "--etcd-compaction-interval=0"));
  }

  private void measure(Map<String, KeelsonProcess> servers, EtcdProcess etcd) throws Exception {
    KeelsonProcess first = servers.values().iterator().next();
    try (PlainClient client = new PlainClient(first.address(), first.kubeconfig().asUser(), "")) {
      String map =
          "{\"metadata\":{\"name\":\"one\"},\"data\":{\"a\":\"" + "x".repeat(1800) + "\"}}";
      byte[] unused = client.send("POST", MAPS, "application/json", map, 201);
    }
    long warm = Integer.getInteger("keelson.bench.warm", 15) * 1_000_000_000L;
    for (KeelsonProcess server : servers.values()) {
      for (String way : WAYS) {
        Rate unused = rate(server, etcd, path(way), 16, Duration.ofNanos(warm / WAYS.size()));
      }
    }
    Duration time = Duration.ofSeconds(Integer.getInteger("keelson.bench.seconds", 2));
    for (String clients : System.getProperty("keelson.bench.clients", "1,16,64").split(",", -1)) {
      int number = Integer.parseInt(clients);
      Map<String, List<Rate>> rates = new LinkedHashMap<>();
      for (int round = 0; round < Integer.getInteger("keelson.bench.rounds", 5); round++) {
        for (String way : WAYS) {
          for (Map.Entry<String, KeelsonProcess> server : servers.entrySet()) {
            rates
                .computeIfAbsent(server.getKey() + " " + way, _ -> new ArrayList<>())
                .add(rate(server.getValue(), etcd, path(way), number, time));
          }
        }
      }
      for (String server : servers.keySet()) {
        for (String way : WAYS) {
          print(number, server, way, rates);
        }
      }
    }
  }

  private void print(int clients, String server, String way, Map<String, List<Rate>> rates) {
    Rate here = median(rates.getOrDefault(server + " " + way, List.of()));
    Rate constant = median(rates.getOrDefault(server + " " + CONSTANT, List.of()));
    say(
        "%2d clients, %-6s %-8s: %,6.0f/s (%3.0f %% of the constant), p99 %6.2f ms, %4.0f"
            + " microseconds of CPU, etcd %4.0f, %.3f calls",
        clients,
        server,
        way,
        here.perSecond,
        100 * here.perSecond / constant.perSecond,
        here.p99Millis,
        here.cpuMicros,
        here.etcdMicros,
        here.calls);
  }

  private static String path(String way) {
    return switch (way) {
      case CONSTANT -> "/apis/apps";
      case "any" -> MAPS + "/one?resourceVersion=0";
      default -> MAPS + "/one";
    };
  }

  private static Rate median(List<Rate> rates) {
    List<Rate> sorted =
        rates.stream().sorted((a, b) -> Double.compare(a.perSecond, b.perSecond)).toList();
    return sorted.get(sorted.size() / 2);
  }

  private static Rate rate(
      KeelsonProcess server, EtcdProcess etcd, String path, int clients, Duration time)
      throws Exception {
    SSLContext tls = server.kubeconfig().asUser();
    List<PlainClient> connections = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      connections.add(new PlainClient(server.address(), tls, ""));
      byte[] unused = connections.get(i).send("GET", path, "", "", 200);
    }
    double calls = etcd.metric(CALLS);
    Duration cpu = server.cpuTime();
    Duration etcdCpu = etcd.cpuTime();
    long begin = System.nanoTime();
    long[] nanos;
    try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
      List<Future<long[]>> loops = new ArrayList<>();
      for (PlainClient connection : connections) {
        loops.add(threads.submit(() -> loop(connection, path, begin + time.toNanos())));
      }
      List<long[]> each = new ArrayList<>();
      for (Future<long[]> loop : loops) {
        each.add(loop.get());
      }
      nanos = each.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    double spent = server.cpuTime().minus(cpu).toNanos() / 1e3;
    double etcdSpent = etcd.cpuTime().minus(etcdCpu).toNanos() / 1e3;
    for (PlainClient connection : connections) {
      connection.close();
    }
    return new Rate(
        nanos.length / seconds,
        nanos[(int) (nanos.length * 0.99)] / 1e6,
        spent / nanos.length,
        etcdSpent / nanos.length,
        (etcd.metric(CALLS) - calls) / nanos.length);
  }

  private static long[] loop(PlainClient connection, String path, long end) throws Exception {
    long[] nanos = new long[1 << 10];
    int count = 0;
    for (long now = System.nanoTime(); now < end; count++) {
      byte[] unused = connection.send("GET", path, "", "", 200);
      if (count == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * count);
      }
      long after = System.nanoTime();
      nanos[count] = after - now;
      now = after;
    }
    return Arrays.copyOf(nanos, count);
  }

  @FormatMethod
  private void say(String form, Object... values) {
    String line = String.format(Locale.ROOT, form, values);
    out.println(line);
    System.out.println(line);
  }
}
