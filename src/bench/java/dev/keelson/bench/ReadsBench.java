package dev.keelson.bench;

import com.google.errorprone.annotations.FormatMethod;
import dev.keelson.testing.EtcdProcess;
import dev.keelson.testing.KeelsonProcess;
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
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Lists, gets and watches of pods on etcd over TLS, by what they cost the server: processor time an
 * operation, and how that grows with objects and with watchers. Writes the curves as pictures.
 *
 * <p>{@code -Dkeelson.bench.pods=1000,10000} sets the numbers of pods, {@code
 * -Dkeelson.bench.watchers=10,100,1000} those of watchers with a connection each, {@code
 * -Dkeelson.bench.shared=500} those of watchers of which a hundred share a connection of HTTP/2. A
 * server on the JVM has a heap that grows and shrinks with what it holds.
 */
public final class ReadsBench {

  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  private static final String JAVA_OPTIONS = "keelson.java.options";

  /** So many lists make one point; the first ones warm up. */
  private static final int LISTS = 30;

  private static final int CHANGES = 200;
  private static final int CHANGES_A_SECOND = 100;

  /** The server's default bound of streams. */
  private static final int STREAMS_A_CONNECTION = 100;

  /** So many rounds of changes before the measured ones: the compiler's time is the server's. */
  private static final int WARMING = 5;

  /** So many rounds are measured, and the one in the middle counts. */
  private static final int MEASURED = 5;

  private final PrintStream out;
  private final List<double[]> listCurve = new ArrayList<>();
  private final List<double[]> labelCurve = new ArrayList<>();
  private final List<double[]> memoryCurve = new ArrayList<>();
  private final List<double[]> watchCurve = new ArrayList<>();

  private ReadsBench(PrintStream out) {
    this.out = out;
  }

  /**
   * Runs everything and leaves {@code target/bench/reads.txt} and the pictures in {@code
   * docs/performance}.
   */
  public static void main(String... arguments) throws Exception {
    if (System.getProperty(JAVA_OPTIONS) == null) {
      System.setProperty(
          JAVA_OPTIONS,
          "-Xms48m -Xmx1500m -Xmn20m -XX:+UseSerialGC -XX:MinHeapFreeRatio=10"
              + " -XX:MaxHeapFreeRatio=20 -XX:-ShrinkHeapInSteps");
    }
    Path directory = Files.createDirectories(Path.of("target", "bench"));
    try (PrintStream file =
        new PrintStream(
            Files.newOutputStream(directory.resolve("reads.txt")), true, StandardCharsets.UTF_8)) {
      new ReadsBench(file).run(directory);
    }
  }

  private void run(Path directory) throws Exception {
    say(
        "%s, etcd, TLS, HTTP/1.1 unless it says otherwise",
        KeelsonProcess.isNative() ? "native" : "JVM");
    try (EtcdProcess etcd = EtcdProcess.create().start();
        KeelsonProcess server = start(directory, etcd);
        HttpClient client = client(server)) {
      say("resident memory, empty: %,d MiB", server.residentKibibytes() / 1024);
      int there = 0;
      for (int pods : numbers("keelson.bench.pods", "1000,10000,100000")) {
        fill(server, client, there, pods);
        there = pods;
        memoryCurve.add(new double[] {pods, memoryOfAFreshServer(directory, etcd, pods)});
        reads(server, client, pods);
      }
      for (int watchers : numbers("keelson.bench.watchers", "10,100,500,1000,5000")) {
        watches(server, watchers, HttpClient.Version.HTTP_1_1);
      }
      for (int watchers : numbers("keelson.bench.shared", "500,1000")) {
        watches(server, watchers, HttpClient.Version.HTTP_2);
      }
      say("resident memory, at the end: %,d MiB", server.residentKibibytes() / 1024);
    }
    Path plots = Files.createDirectories(Path.of("docs", "performance"));
    Plot.write(plots.resolve("list.svg"), "LIST of all pods", "pods", "ms of CPU", listCurve);
    Plot.write(
        plots.resolve("label.svg"), "LIST of a tenth by label", "pods", "ms of CPU", labelCurve);
    Plot.write(plots.resolve("memory.svg"), "Resident memory", "pods", "MiB", memoryCurve);
    Plot.write(
        plots.resolve("watch.svg"),
        "One change to all watchers",
        "watchers",
        "microseconds of CPU a delivered event",
        watchCurve);
  }

  private static KeelsonProcess start(Path directory, EtcdProcess etcd) throws Exception {
    return KeelsonProcess.start(
        Files.createTempDirectory(directory, "reads"),
        List.of(
            "--etcd-servers",
            etcd.endpoint().toString(),
            "--authorization-mode=RBAC",
            "--max-requests-inflight=0",
            "--etcd-compaction-interval=0",
            // others collect pods of nodes that do not exist
            KeelsonProcess.FEW_CONTROLLERS));
  }

  /** What a server takes that has the pods in its cache, a heap to suit, and not done much else. */
  private double memoryOfAFreshServer(Path directory, EtcdProcess etcd, int pods) throws Exception {
    String others = System.getProperty(JAVA_OPTIONS);
    System.setProperty(JAVA_OPTIONS, others + " -Xmx" + (72 + pods * 9 / 2048) + "m");
    try (KeelsonProcess server = start(directory, etcd);
        HttpClient client = client(server)) {
      for (int i = 0; i < LISTS; i++) {
        long unused = send(client, get(server, PODS + "?limit=500"), 200);
      }
      // what the compiler has left is given back every five seconds
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(11));
      double memory = server.residentKibibytes() / 1024.0;
      say("resident memory with %,d pods: %,.0f MiB", pods, memory);
      return memory;
    } finally {
      System.setProperty(JAVA_OPTIONS, others);
    }
  }

  private static int[] numbers(String property, String standard) {
    return Arrays.stream(System.getProperty(property, standard).split(",", -1))
        .mapToInt(Integer::parseInt)
        .toArray();
  }

  private static HttpClient client(KeelsonProcess server) {
    return HttpClient.newBuilder()
        .sslContext(server.kubeconfig().asUser())
        .version(HttpClient.Version.HTTP_1_1)
        .build();
  }

  private void fill(KeelsonProcess server, HttpClient client, int from, int to) throws Exception {
    AtomicInteger next = new AtomicInteger(from);
    try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
      for (int i = 0; i < 16; i++) {
        var unused =
            threads.submit(
                () -> {
                  for (int n = next.getAndIncrement(); n < to; n = next.getAndIncrement()) {
                    send(client, post(server, PODS, SamplePod.shortJson(n)), 201);
                  }
                  return null;
                });
      }
    }
  }

  private void reads(KeelsonProcess server, HttpClient client, int pods) throws Exception {
    HttpRequest one = get(server, PODS + "/pod-000007");
    HttpRequest constant = get(server, "/apis/apps/v1");
    many(server, "constant answer, 16 clients", () -> send(client, constant, 200));
    many(server, "GET of a pod, 16 clients", () -> send(client, one, 200));
    int lists = pods > 50_000 ? LISTS / 5 : LISTS;
    double list =
        measure(
            server,
            "LIST of %,d pods".formatted(pods),
            lists,
            () -> send(client, get(server, PODS), 200));
    long[] begins = new long[LISTS / 3];
    for (int i = 0; i < begins.length; i++) {
      begins[i] = firstByte(client, get(server, PODS));
    }
    Arrays.sort(begins);
    say(
        "    its first byte after %.1f ms, %.1f at most",
        begins[begins.length / 2] / 1e6, begins[begins.length - 1] / 1e6);
    for (String form :
        List.of(
            "application/vnd.kubernetes.protobuf",
            "application/json;as=Table;v=v1;g=meta.k8s.io",
            "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io")) {
      HttpRequest asked =
          HttpRequest.newBuilder(get(server, PODS), (name, value) -> !name.equals("Accept"))
              .header("Accept", form)
              .build();
      double unused =
          measure(
              server,
              "LIST of %,d pods as %s".formatted(pods, form),
              lists,
              () -> send(client, asked, 200));
    }
    double label =
        measure(
            server,
            "LIST of a tenth of %,d pods by label".formatted(pods),
            3 * lists,
            () -> send(client, get(server, PODS + "?labelSelector=tenth%3Dt3"), 200));
    measure(
        server,
        "LIST of one node's of %,d pods".formatted(pods),
        10 * LISTS,
        () -> send(client, get(server, PODS + "?fieldSelector=spec.nodeName%3Dnode-3"), 200));
    measure(
        server,
        "LIST of the first 500 of %,d pods".formatted(pods),
        10 * LISTS,
        () -> send(client, get(server, PODS + "?limit=500"), 200));
    listCurve.add(new double[] {pods, list});
    labelCurve.add(new double[] {pods, label});
    say("  resident memory after all lists: %,d MiB", server.residentKibibytes() / 1024);
  }

  /** Something that is measured. */
  private interface Operation {
    long run() throws Exception;
  }

  /** The same by 16 clients at once, many times. */
  private void many(KeelsonProcess server, String what, Operation operation) throws Exception {
    int rounds = 1000;
    try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
      double unused =
          measure(
              server,
              what,
              12,
              () -> {
                List<java.util.concurrent.Callable<Long>> all = new ArrayList<>();
                for (int i = 0; i < 16; i++) {
                  all.add(
                      () -> {
                        long bytes = 0;
                        for (int n = 0; n < rounds / 16; n++) {
                          bytes = operation.run();
                        }
                        return bytes;
                      });
                }
                long bytes = 0;
                for (var each : threads.invokeAll(all)) {
                  bytes = each.get();
                }
                return bytes;
              },
              rounds / 16 * 16);
    }
  }

  private double measure(KeelsonProcess server, String what, int times, Operation operation)
      throws Exception {
    return measure(server, what, times, operation, 1);
  }

  /** Milliseconds of the server's processor time each. */
  private double measure(
      KeelsonProcess server, String what, int times, Operation operation, int perRun)
      throws Exception {
    long bytes = 0;
    for (int i = 0; i < Math.max(3, times / 3); i++) {
      bytes = operation.run();
    }
    Duration before = server.cpuTime();
    long begin = System.nanoTime();
    for (int i = 0; i < times; i++) {
      bytes = operation.run();
    }
    double wall = (System.nanoTime() - begin) / 1e6 / times / perRun;
    double cpu = server.cpuTime().minus(before).toNanos() / 1e6 / times / perRun;
    say("  %-42s %,11d bytes, %9.3f ms of CPU, %9.3f ms", what, bytes, cpu, wall);
    return cpu;
  }

  private void watches(KeelsonProcess server, int watchers, HttpClient.Version version)
      throws Exception {
    boolean shared = version == HttpClient.Version.HTTP_2;
    String id = watchers + (shared ? "-shared" : "");
    LongAdder lines = new LongAdder();
    ConcurrentLinkedQueue<Long> delays = new ConcurrentLinkedQueue<>();
    CountDownLatch open = new CountDownLatch(watchers);
    List<HttpClient> watching = watchingClients(server, watchers, version);
    try (HttpClient writing = client(server)) {
      // what the writes cost by themselves: the JVM compiles for long after the lists
      double unused = rounds(server, writing, "warm-" + id, watchCurve.isEmpty() ? 2 * WARMING : 2);
      double alone = rounds(server, writing, "alone-" + id, MEASURED);
      String path = MAPS + "?watch=1&resourceVersion=" + revision(server, writing);
      long memory = server.residentKibibytes();
      for (int i = 0; i < watchers; i++) {
        boolean timed = i % Math.max(1, watchers / 10) == 0;
        var unusedAnswer =
            watching
                .get(i % watching.size())
                .sendAsync(
                    get(server, path),
                    info -> {
                      open.countDown();
                      return HttpResponse.BodySubscribers.fromLineSubscriber(
                          new Lines(lines, timed ? delays : null));
                    });
      }
      if (!open.await(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException("only " + (watchers - open.getCount()) + " watches began");
      }
      long each = (server.residentKibibytes() - memory) / watchers;
      double unusedToo = rounds(server, writing, "first-" + id, WARMING);
      await(lines, (long) WARMING * CHANGES * watchers);
      delays.clear();
      double cpu = rounds(server, writing, "watched-" + id, MEASURED);
      await(lines, (long) (WARMING + MEASURED) * CHANGES * watchers);
      double perEvent = (cpu - alone) / CHANGES / watchers;
      long[] sorted = delays.stream().mapToLong(Long::longValue).sorted().toArray();
      say(
          "  %,d watchers over %s, %d changes/s: %.2f microseconds of CPU a delivered event, p50"
              + " %.1f ms, p99 %.1f ms, %d KiB of memory a watch",
          watchers,
          shared ? "HTTP/2" : "HTTP/1.1",
          CHANGES_A_SECOND,
          perEvent,
          sorted[sorted.length / 2] / 1e6,
          sorted[(int) (sorted.length * 0.99)] / 1e6,
          each);
      if (!shared) {
        watchCurve.add(new double[] {watchers, perEvent});
      }
    } finally {
      watching.forEach(HttpClient::shutdownNow);
    }
  }

  /** Clients for so many watchers: over HTTP/2 as many as it takes to have a connection each. */
  private static List<HttpClient> watchingClients(
      KeelsonProcess server, int watchers, HttpClient.Version version) throws Exception {
    List<HttpClient> clients = new ArrayList<>();
    int connections =
        version == HttpClient.Version.HTTP_2 ? Math.ceilDiv(watchers, STREAMS_A_CONNECTION) : 1;
    for (int i = 0; i < connections; i++) {
      HttpClient client =
          HttpClient.newBuilder().sslContext(server.kubeconfig().asUser()).version(version).build();
      // the connection is there before the watches share it
      long unused = send(client, get(server, "/readyz"), 200);
      clients.add(client);
    }
    return clients;
  }

  /** Rounds of changes at the pace of the bench; what the median of them costs in microseconds. */
  private static double rounds(KeelsonProcess server, HttpClient client, String prefix, int count)
      throws Exception {
    double[] costs = new double[count];
    for (int i = 0; i < count; i++) {
      costs[i] = writes(server, client, prefix + "-" + i);
    }
    Arrays.sort(costs);
    return costs[count / 2];
  }

  /** Makes changes at the pace of the bench; what they cost in microseconds. */
  private static double writes(KeelsonProcess server, HttpClient client, String prefix)
      throws Exception {
    Duration before = server.cpuTime();
    long begin = System.nanoTime();
    for (int i = 0; i < CHANGES; i++) {
      long unused = send(client, post(server, MAPS, map(prefix + "-" + i)), 201);
      long due = begin + (i + 1) * TimeUnit.SECONDS.toNanos(1) / CHANGES_A_SECOND;
      LockSupport.parkNanos(due - System.nanoTime());
    }
    return server.cpuTime().minus(before).toNanos() / 1e3;
  }

  private static void await(LongAdder lines, long count) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (lines.sum() < count) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("only " + lines.sum() + " of " + count + " events came");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  private static String revision(KeelsonProcess server, HttpClient client) throws Exception {
    String list =
        client
            .send(get(server, "/api/v1/namespaces?limit=1"), HttpResponse.BodyHandlers.ofString())
            .body();
    String mark = "\"resourceVersion\":\"";
    int at = list.indexOf(mark) + mark.length();
    return list.substring(at, list.indexOf('"', at));
  }

  /** Counts events; the data of each says when it was sent. */
  private record Lines(
      LongAdder count, @org.jspecify.annotations.Nullable ConcurrentLinkedQueue<Long> delays)
      implements Flow.Subscriber<String> {
    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(String line) {
      count.increment();
      if (delays != null) {
        int at = line.indexOf("\"sent\":\"") + 8;
        delays.add(System.nanoTime() - Long.parseLong(line.substring(at, line.indexOf('"', at))));
      }
    }

    @Override
    public void onError(Throwable error) {}

    @Override
    public void onComplete() {}
  }

  private static String map(String name) {
    return "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"sent\":\"%d\",\"k\":\"%s\"}}"
        .formatted(name, System.nanoTime(), "v".repeat(900));
  }

  private static HttpRequest get(KeelsonProcess server, String path) {
    return HttpRequest.newBuilder(address(server, path)).build();
  }

  private static HttpRequest post(KeelsonProcess server, String path, String body) {
    return HttpRequest.newBuilder(address(server, path))
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  private static URI address(KeelsonProcess server, String path) {
    return server.address().resolve(path);
  }

  /** The number of bytes of the answer, which is not kept: a list may be larger than this heap. */
  private static long send(HttpClient client, HttpRequest request, int expected) throws Exception {
    LongAdder bytes = new LongAdder();
    HttpResponse<Void> answer =
        client.send(
            request,
            HttpResponse.BodyHandlers.ofByteArrayConsumer(
                part -> part.ifPresent(some -> bytes.add(some.length))));
    if (answer.statusCode() != expected) {
      throw new IllegalStateException(request.uri() + ": " + answer.statusCode());
    }
    return bytes.sum();
  }

  /** Nanoseconds until the first piece of the answer's body came. */
  private static long firstByte(HttpClient client, HttpRequest request) throws Exception {
    long begin = System.nanoTime();
    AtomicLong first = new AtomicLong();
    HttpResponse<Void> unused =
        client.send(
            request,
            HttpResponse.BodyHandlers.ofByteArrayConsumer(
                part -> first.compareAndSet(0, System.nanoTime())));
    return first.get() - begin;
  }

  @FormatMethod
  private void say(String form, Object... values) {
    String line = String.format(Locale.ROOT, form, values);
    out.println(line);
    System.out.println(line);
  }
}
