package dev.keelson.bench;

import com.google.errorprone.annotations.FormatMethod;
import dev.keelson.testing.EtcdProcess;
import dev.keelson.testing.KeelsonProcess;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.PutOption;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Basic figures of a packaged server, each with a limit measured in the same run: start-up, reads
 * against a constant response, creates against raw conditional puts of the same size. The load
 * comes from this process, on the same machine, over HTTPS.
 */
public final class ServerBench {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final Duration WARM_UP = Duration.ofSeconds(3);
  private static final Duration MEASURED = Duration.ofSeconds(4);
  private static final int VALUE_BYTES = 1024;
  private static final int LISTED = 2000;

  private final PrintStream out;
  private final AtomicLong names = new AtomicLong();

  /** The operation of a client. */
  private interface Operation {
    void run() throws Exception;
  }

  /** The result of a load: operations per second and the server's CPU time per operation. */
  private record Rate(double perSecond, Duration p50, Duration p99, double cpuMillis) {}

  private ServerBench(PrintStream out) {
    this.out = out;
  }

  /** Runs everything; takes about three minutes and leaves {@code target/bench/figures.txt}. */
  public static void main(String... arguments) throws Exception {
    Path directory = Files.createDirectories(Path.of("target", "bench"));
    try (PrintStream file =
        new PrintStream(
            Files.newOutputStream(directory.resolve("figures.txt")),
            true,
            StandardCharsets.UTF_8)) {
      new ServerBench(file).run(Files.createTempDirectory(directory, "run"));
    }
  }

  private void run(Path directory) throws Exception {
    say("load average before: %s", Files.readString(Path.of("/proc/loadavg")).strip());
    startUp(directory);
    try (KeelsonProcess server = KeelsonProcess.start(directory.resolve("sqlite"), List.of())) {
      say("SQLite, synchronous=FULL");
      reads(server);
      creates(server, 0);
      say("  resident memory %,d KiB", server.residentKibibytes());
    }
    try (EtcdProcess etcd = EtcdProcess.create().start();
        KeelsonProcess server =
            KeelsonProcess.start(
                directory.resolve("etcd"), List.of("--etcd-servers", etcd.endpoint().toString()))) {
      say("etcd");
      creates(server, rawPuts(etcd.endpoint(), 16));
    }
  }

  private void startUp(Path directory) throws IOException {
    boolean isNative = KeelsonProcess.isNative();
    List<Long> millis = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      try (KeelsonProcess server =
          KeelsonProcess.start(directory.resolve("start-" + i), List.of())) {
        millis.add(server.startTime().toMillis());
      }
    }
    millis.sort(Long::compare);
    say(
        "start to the ready line, empty store, %s: median %d ms (target %s)",
        isNative ? "native" : "JVM", millis.get(2), isNative ? "100 ms" : "1,500 ms");
  }

  private void reads(KeelsonProcess server) throws Exception {
    Api api = new Api(server);
    api.create("one", VALUE_BYTES);
    // the constant response: a cached discovery document, through the same filter chain
    Rate constant = load(server, 16, () -> api.get("/apis/apps"));
    Rate get = load(server, 16, () -> api.get(MAPS + "/one"));
    say("  constant answer (/apis/apps), 16 clients: %s", text(constant));
    say(
        "  GET of one ConfigMap (1 KB), 16 clients: %s, %.0f %% of the constant answer (target 80"
            + " %%)",
        text(get), 100 * get.perSecond / constant.perSecond);
    for (int i = 0; i < LISTED; i++) {
      api.create("listed-" + i, VALUE_BYTES);
    }
    long bytes = api.get(MAPS);
    Rate list = load(server, 1, () -> api.get(MAPS));
    say(
        "  LIST of %,d ConfigMaps (%.1f MB): %s, %.0f MB/s",
        LISTED + 1, bytes / 1e6, text(list), list.perSecond * bytes / 1e6);
  }

  private void creates(KeelsonProcess server, double rawAt16) throws Exception {
    Api api = new Api(server);
    for (int clients : new int[] {1, 16, 64}) {
      Rate rate =
          load(server, clients, () -> api.create("c-" + names.incrementAndGet(), VALUE_BYTES));
      String ratio =
          rawAt16 > 0 && clients == 16
              ? ", %.0f %% of raw puts (target 80 %%)".formatted(100 * rate.perSecond / rawAt16)
              : "";
      say("  create of a ConfigMap (1 KB), %d clients: %s%s", clients, text(rate), ratio);
    }
  }

  /** Conditional puts of new keys of the size of a stored ConfigMap, straight through jetcd. */
  private double rawPuts(URI endpoint, int clients) throws Exception {
    try (Client client = Client.builder().endpoints(endpoint.toString()).build()) {
      KV kv = client.getKVClient();
      ByteSequence value = ByteSequence.from(new byte[VALUE_BYTES + 300]);
      Operation put =
          () -> {
            ByteSequence key =
                ByteSequence.from("/raw/" + names.incrementAndGet(), StandardCharsets.UTF_8);
            boolean done =
                kv.txn()
                    .If(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.modRevision(0)))
                    .Then(Op.put(key, value, PutOption.DEFAULT))
                    .commit()
                    .get(10, TimeUnit.SECONDS)
                    .isSucceeded();
            if (!done) {
              throw new IllegalStateException("the key was taken");
            }
          };
      Rate rate = load(null, clients, put);
      say("  raw conditional puts through jetcd, %d clients: %.0f/s", clients, rate.perSecond);
      return rate.perSecond;
    }
  }

  private static Rate load(
      @org.jspecify.annotations.Nullable KeelsonProcess server, int clients, Operation operation)
      throws Exception {
    run(clients, WARM_UP, operation, new ArrayList<>());
    Duration before = server == null ? Duration.ZERO : server.cpuTime();
    List<long[]> latencies = new ArrayList<>();
    long begin = System.nanoTime();
    long count = run(clients, MEASURED, operation, latencies);
    double seconds = (System.nanoTime() - begin) / 1e9;
    Duration cpu = server == null ? Duration.ZERO : server.cpuTime().minus(before);
    long[] all = latencies.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    return new Rate(
        count / seconds,
        Duration.ofNanos(all[all.length / 2]),
        Duration.ofNanos(all[(int) (all.length * 0.99)]),
        cpu.toNanos() / 1e6 / count);
  }

  private static long run(int clients, Duration time, Operation operation, List<long[]> latencies)
      throws Exception {
    LongAdder count = new LongAdder();
    long end = System.nanoTime() + time.toNanos();
    try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
      List<Future<long[]>> loops = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        loops.add(
            threads.submit(
                () -> {
                  long[] nanos = new long[1 << 18];
                  int size = 0;
                  while (System.nanoTime() < end) {
                    long begin = System.nanoTime();
                    operation.run();
                    nanos[size++ & (nanos.length - 1)] = System.nanoTime() - begin;
                    count.increment();
                  }
                  return Arrays.copyOf(nanos, Math.min(size, nanos.length));
                }));
      }
      for (Future<long[]> loop : loops) {
        latencies.add(loop.get());
      }
    }
    return count.sum();
  }

  private static String text(Rate rate) {
    return String.format(
        Locale.ROOT,
        "%,.0f/s, p50 %.2f ms, p99 %.2f ms, %.3f ms of CPU each",
        rate.perSecond,
        rate.p50.toNanos() / 1e6,
        rate.p99.toNanos() / 1e6,
        rate.cpuMillis);
  }

  @FormatMethod
  private void say(String form, Object... values) {
    String line = String.format(Locale.ROOT, form, values);
    out.println(line);
    System.out.println(line);
  }

  /** A client of one server, as its administrator. */
  private static final class Api {
    private final HttpClient client;
    private final URI address;

    Api(KeelsonProcess server) {
      address = server.address();
      client =
          HttpClient.newBuilder()
              .sslContext(server.kubeconfig().asUser())
              .version(HttpClient.Version.HTTP_1_1)
              .build();
    }

    /** Reads a path and returns the length of the answer. */
    long get(String path) throws IOException, InterruptedException {
      return send(HttpRequest.newBuilder(address.resolve(path)).build(), 200);
    }

    void create(String name, int bytes) throws IOException, InterruptedException {
      String body =
          "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\""
              + name
              + "\"},\"data\":{\"k\":\""
              + "v".repeat(bytes)
              + "\"}}";
      long unused =
          send(
              HttpRequest.newBuilder(address.resolve(MAPS))
                  .header("Content-Type", "application/json")
                  .POST(HttpRequest.BodyPublishers.ofString(body))
                  .build(),
              201);
    }

    private long send(HttpRequest request, int expected) throws IOException, InterruptedException {
      HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
      if (answer.statusCode() != expected) {
        throw new IllegalStateException(
            request.uri() + ": " + new String(answer.body(), StandardCharsets.UTF_8));
      }
      return answer.body().length;
    }
  }
}
