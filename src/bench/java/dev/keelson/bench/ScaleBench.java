package dev.keelson.bench;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.KeyRange;
import dev.keelson.testing.EtcdProcess;
import dev.keelson.testing.FreePort;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.watch.CacheEvent;
import dev.keelson.watch.Cacher;
import dev.keelson.watch.EventStream;
import dev.keelson.watch.Retention;
import dev.keelson.watch.Snapshot;
import dev.keelson.watch.WatchCache;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Simulates a large cluster on the real watch cache: the store and the clients are simulated, the
 * events are encoded once and copied for each client. A hundredth of it is then run on a real
 * server and etcd. {@code docs/scale.md} explains the figures; {@code -Dbench.objects} and {@code
 * -Dbench.watchers} set the largest numbers, and {@code -Dbench.real=true} leaves the simulation
 * out.
 */
public final class ScaleBench {

  private static final int OBJECTS = Integer.getInteger("bench.objects", 1_000_000);
  private static final int WATCHERS = Integer.getInteger("bench.watchers", 50_000);
  private static final int NODES = 5_000;
  private static final int OBJECT_BYTES = 600;
  private static final int NODE_BYTES = 2_000;
  private static final Duration STEP = Duration.ofSeconds(4);
  private static final String TYPE = "/registry/things/";

  private final StringBuilder out = new StringBuilder();
  private final Path pictures;

  private ScaleBench(Path pictures) {
    this.pictures = pictures;
  }

  /**
   * Runs it; leaves {@code target/bench/scale.txt}, and the pictures in the directory that is
   * given, or in {@code target/bench/scale}.
   */
  public static void main(String... arguments) throws Exception {
    Path directory = Files.createDirectories(Path.of("target", "bench"));
    Path pictures =
        Files.createDirectories(
            arguments.length > 0 ? Path.of(arguments[0]) : directory.resolve("scale"));
    ScaleBench bench = new ScaleBench(pictures);
    if (!Boolean.getBoolean("bench.real")) {
      bench.memory();
      bench.heartbeats();
      bench.fanOut();
    }
    bench.real(Files.createTempDirectory(directory, "scale"));
    Files.writeString(directory.resolve("scale.txt"), bench.out, StandardCharsets.UTF_8);
  }

  private void say(String line) {
    System.out.println(line);
    out.append(line).append('\n');
  }

  private static String text(double value, int digits) {
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }

  private static WatchCache cache(SimulatedStore store) {
    return new WatchCache(
        store, Bytes.utf8("/registry/"), InstantSource.system(), Retention.ofMemory());
  }

  private static long heap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static long cpu() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** Memory and time of loading objects into the cache. */
  private void memory() throws Exception {
    List<double[]> points = new ArrayList<>();
    for (int objects : new int[] {OBJECTS / 100, OBJECTS / 10, OBJECTS / 3, OBJECTS}) {
      SimulatedStore store = new SimulatedStore(TYPE, objects, OBJECT_BYTES);
      long before = heap();
      long begin = cpu();
      try (WatchCache cache = cache(store)) {
        Snapshot loaded = cache.type(Bytes.utf8(TYPE)).any();
        double seconds = (cpu() - begin) / 1e9;
        double mebibytes = (heap() - before) / 1048576.0;
        points.add(new double[] {objects, mebibytes});
        say(
            text(objects, 0)
                + " objects of "
                + OBJECT_BYTES
                + " bytes: "
                + text(mebibytes, 0)
                + " MiB of heap, "
                + text(mebibytes * 1048576 / objects - OBJECT_BYTES, 0)
                + " bytes each beside the value, loaded in "
                + text(seconds, 1)
                + " s of CPU, revision "
                + loaded.revision());
      }
    }
    Plot.write(pictures.resolve("memory.svg"), "Heap of the watch cache", "objects", "MiB", points);
  }

  /** The cost of a change that few watch: a lease. */
  private void heartbeats() throws Exception {
    SimulatedStore store = new SimulatedStore(TYPE, NODES, 300);
    try (WatchCache cache = cache(store);
        Loops loops = new Loops()) {
      Cacher leases = cache.type(Bytes.utf8(TYPE));
      long unused = leases.any().revision();
      for (int i = 0; i < 3; i++) {
        loops.watch(leases, KeyRange.prefix(Bytes.utf8(TYPE)));
      }
      Step warm = step(store, cache, loops, 20_000, 300);
      Step measured = step(store, cache, loops, 20_000, 300);
      say(
          "lease updates with three watchers: "
              + text(measured.cpuMicros / measured.events, 1)
              + " microseconds of CPU each ("
              + text(warm.cpuMicros / warm.events, 1)
              + " while warming up), at "
              + text(measured.events / measured.seconds, 0)
              + "/s");
    }
  }

  /** Changes of nodes at rising rates, while one watcher a node follows all nodes. */
  private void fanOut() throws Exception {
    SimulatedStore store = new SimulatedStore(TYPE, NODES, NODE_BYTES);
    try (WatchCache cache = cache(store);
        Loops loops = new Loops()) {
      Cacher nodes = cache.type(Bytes.utf8(TYPE));
      long unused = nodes.any().revision();
      long before = heap();
      KeyRange all = KeyRange.prefix(Bytes.utf8(TYPE));
      for (int i = 0; i < WATCHERS; i++) {
        // kube-proxy follows all nodes, everything else of a node one object of its own
        loops.watch(nodes, i < NODES ? all : KeyRange.single(store.key(i % NODES)));
      }
      say(
          text(WATCHERS, 0)
              + " watchers in the cache: "
              + text((heap() - before) / (double) WATCHERS, 0)
              + " bytes of heap each, without their connections");
      List<double[]> late = new ArrayList<>();
      List<double[]> busy = new ArrayList<>();
      for (int rate : new int[] {17, 17, 34, 68, 136, 272, 544}) {
        Step step = step(store, cache, loops, rate, NODE_BYTES);
        say(
            rate
                + " changes of nodes a second to "
                + text(NODES + (WATCHERS - NODES) / (double) NODES, 0)
                + " watchers each: "
                + text(step.delivered / step.seconds, 0)
                + " events/s, "
                + text(step.cpuMicros / step.delivered, 2)
                + " microseconds of CPU an event, "
                + text(step.cpuMicros / 1e6 / step.seconds, 2)
                + " cores, p50 "
                + text(step.p50, 1)
                + " ms, p99 "
                + text(step.p99, 1)
                + " ms");
        if (!late.isEmpty() && late.getLast()[0] == rate) {
          late.removeLast();
          busy.removeLast();
        }
        late.add(new double[] {rate, step.p99});
        busy.add(new double[] {rate, step.cpuMicros / 1e6 / step.seconds});
        if (step.p99 > 2000) {
          break;
        }
      }
      Plot.write(
          pictures.resolve("latency.svg"),
          "Changes of nodes to 5,000 watchers, cache and encoding alone",
          "changes a second",
          "p99 in ms",
          late);
      Plot.write(
          pictures.resolve("cores.svg"),
          "Changes of nodes to 5,000 watchers, cache and encoding alone",
          "changes a second",
          "cores",
          busy);
    }
  }

  private record Step(
      long events, long delivered, double cpuMicros, double seconds, double p50, double p99) {}

  /** Changes objects at a rate, and waits until every watcher has seen the last one. */
  private static Step step(SimulatedStore store, WatchCache cache, Loops loops, int rate, int bytes)
      throws InterruptedException {
    loops.reset();
    int count = (int) Math.min(40_000, rate * STEP.toSeconds());
    long begin = System.nanoTime();
    long cpu = cpu();
    long last = 0;
    for (int i = 0; i < count; i++) {
      long due = begin + i * 1_000_000_000L / rate;
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      byte[] value = new byte[bytes];
      Arrays.fill(value, (byte) 'v');
      loops.written(store.revision() + 1);
      last = store.put(ThreadLocalRandom.current().nextInt(NODES), value);
    }
    if (!cache.await(store.key(0), last, Duration.ofMinutes(1))) {
      throw new IllegalStateException("the cache has not reached " + last);
    }
    loops.drain();
    double seconds = (System.nanoTime() - begin) / 1e9;
    return new Step(
        count,
        loops.delivered(),
        (cpu() - cpu) / 1e3,
        seconds,
        loops.percentile(0.50),
        loops.percentile(0.99));
  }

  /** Two event loops with the simulated clients. */
  private static final class Loops implements AutoCloseable {
    private static final int TIMES = 1 << 16;
    private final List<ExecutorService> loops =
        List.of(
            Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory()),
            Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory()));
    private final List<EventStream> streams = new ArrayList<>();

    /** Of each loop, what its sockets would take. */
    private final List<byte[]> buffers = List.of(new byte[1 << 16], new byte[1 << 16]);

    private final AtomicLongArray times = new AtomicLongArray(TIMES);

    /** Numbers of deliveries by their delay, in tenths of a millisecond. */
    private final AtomicLongArray delays = new AtomicLongArray(100_000);

    private final AtomicLong delivered = new AtomicLong();

    void watch(Cacher cache, KeyRange range) {
      int number = streams.size();
      ExecutorService loop = loops.get(number % loops.size());
      byte[] buffer = buffers.get(number % loops.size());
      EventStream[] stream = new EventStream[1];
      stream[0] =
          cache
              .watch(
                  range, null, cache.revision(), () -> loop.execute(() -> turn(stream[0], buffer)))
              .orElseThrow();
      streams.add(stream[0]);
    }

    private void turn(EventStream stream, byte[] buffer) {
      while (true) {
        List<CacheEvent> events = stream.poll(256).events();
        if (events.isEmpty()) {
          return;
        }
        for (CacheEvent event : events) {
          byte[] frame = event.derive("json", () -> frame(event));
          System.arraycopy(frame, 0, buffer, 0, frame.length);
          long delay = System.nanoTime() - times.get((int) (event.revision() % TIMES));
          int slot = (int) Math.min(delays.length() - 1L, delay / 100_000);
          delays.incrementAndGet(slot);
          delivered.incrementAndGet();
        }
      }
    }

    private static byte[] frame(CacheEvent event) {
      byte[] value = event.after() == null ? new byte[0] : event.after().value().array();
      byte[] head = "{\"type\":\"MODIFIED\",\"object\":".getBytes(StandardCharsets.US_ASCII);
      byte[] frame = new byte[head.length + value.length + 2];
      System.arraycopy(head, 0, frame, 0, head.length);
      System.arraycopy(value, 0, frame, head.length, value.length);
      frame[frame.length - 2] = '}';
      frame[frame.length - 1] = '\n';
      return frame;
    }

    void written(long revision) {
      times.set((int) (revision % TIMES), System.nanoTime());
    }

    void reset() {
      delivered.set(0);
      for (int i = 0; i < delays.length(); i++) {
        delays.set(i, 0);
      }
    }

    /** Waits until the loops have nothing to do. */
    void drain() throws InterruptedException {
      for (int i = 0; i < 2; i++) {
        for (ExecutorService loop : loops) {
          CountDownLatch done = new CountDownLatch(1);
          loop.execute(done::countDown);
          done.await();
        }
      }
    }

    long delivered() {
      return delivered.get();
    }

    /** In milliseconds. */
    double percentile(double part) {
      long left = (long) (delivered.get() * part);
      for (int i = 0; i < delays.length(); i++) {
        left -= delays.get(i);
        if (left < 0) {
          return i / 10.0;
        }
      }
      return delays.length() / 10.0;
    }

    @Override
    public void close() throws InterruptedException {
      streams.forEach(EventStream::close);
      for (ExecutorService loop : loops) {
        loop.shutdown();
        if (!loop.awaitTermination(1, TimeUnit.MINUTES)) {
          throw new IllegalStateException("a loop does not end");
        }
      }
    }
  }

  /** A hundredth of the cluster on a real server and etcd, with heartbeats as fast as they go. */
  private void real(Path directory) throws Exception {
    int objects = OBJECTS / 100;
    int watchers = WATCHERS / 100;
    int port = FreePort.find();
    try (EtcdProcess etcd = EtcdProcess.create().start();
        KeelsonProcess server =
            KeelsonProcess.start(
                directory,
                List.of(
                    "--etcd-servers",
                    etcd.endpoint().toString(),
                    "--secure-port",
                    Integer.toString(port),
                    KeelsonProcess.FEW_CONTROLLERS));
        HttpClient http = HttpClient.newBuilder().sslContext(server.kubeconfig().asUser()).build();
        WatchClients clients = new WatchClients(server.kubeconfig(), port, watchers)) {
      Real real = new Real(server, http);
      long empty = server.residentKibibytes();
      String filler = "v".repeat(OBJECT_BYTES - 250);
      for (int i = 0; i < objects; i++) {
        long unused = real.send("POST", "/api/v1/namespaces/default/configmaps", "o" + i, filler);
      }
      say(
          "real server, "
              + text(objects, 0)
              + " objects: resident "
              + text(server.residentKibibytes() / 1024.0, 0)
              + " MiB, "
              + text(empty / 1024.0, 0)
              + " MiB without");
      String leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
      for (int i = 0; i < NODES / 100; i++) {
        long unused = real.send("POST", leases, "n" + i, "");
      }
      double alone = real.renew(leases, 4_000);
      say("a lease update: " + text(alone, 0) + " microseconds of the server's CPU");
      long begin = real.send("POST", leases, "begin", "");
      for (int i = 0; i < watchers; i++) {
        clients.add(leases, begin);
      }
      while (clients.open() < watchers) {
        LockSupport.parkNanos(50_000_000);
      }
      double warm = real.renew(leases, 200);
      long events = clients.events();
      double watched = real.renew(leases, 400);
      while (clients.events() - events < 400L * watchers) {
        LockSupport.parkNanos(50_000_000);
      }
      say(
          "the same with "
              + watchers
              + " watchers: "
              + text(watched, 0)
              + " ("
              + text(warm, 0)
              + " at first), so "
              + text((watched - alone) / watchers, 1)
              + " microseconds an event with TLS and HTTP/2; resident "
              + text(server.residentKibibytes() / 1024.0, 0)
              + " MiB");
    }
  }

  private record Real(KeelsonProcess server, HttpClient http) {

    /** Microseconds of the server's CPU an update. */
    double renew(String path, int count) throws Exception {
      long cpu = server.cpuTime().toNanos();
      for (int i = 0; i < count; i++) {
        String name = "n" + i % (NODES / 100);
        long unused = send("PATCH", path + "/" + name, "", "r" + i);
      }
      // what is still on its way to the watchers
      Thread.sleep(1000);
      return (server.cpuTime().toNanos() - cpu) / 1e3 / count;
    }

    long send(String method, String path, String name, String value) throws Exception {
      String body =
          method.equals("PATCH")
              ? "{\"spec\":{\"holderIdentity\":\"%s\"}}".formatted(value)
              : value.isEmpty()
                  ? "{\"metadata\":{\"name\":\"%s\"},\"spec\":{\"holderIdentity\":\"a\"}}"
                      .formatted(name)
                  : "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"k\":\"%s\"}}"
                      .formatted(name, value);
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(server.address() + path))
              .header(
                  "Content-Type",
                  method.equals("PATCH") ? "application/merge-patch+json" : "application/json")
              .method(method, HttpRequest.BodyPublishers.ofString(body))
              .build();
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() >= 300) {
        throw new IllegalStateException(answer.body());
      }
      String mark = "\"resourceVersion\":\"";
      int at = answer.body().indexOf(mark) + mark.length();
      return Long.parseLong(answer.body().substring(at, answer.body().indexOf('"', at)));
    }
  }
}
