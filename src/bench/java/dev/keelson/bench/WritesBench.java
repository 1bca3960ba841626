package dev.keelson.bench;

import com.google.errorprone.annotations.FormatMethod;
import dev.keelson.testing.EtcdProcess;
import dev.keelson.testing.KeelsonProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * Creates, updates, patches, applies and deletes of pods by a packaged server with TLS and RBAC, at
 * several numbers of clients: the rate beside what the store alone does for as many clients and
 * values of the same size in the same run, and the server's processor time for each.
 *
 * <p>What managed fields cost shows in {@code untracked}: merge patches of pods whose managers have
 * been forgotten.
 *
 * <p>{@code -Dkeelson.bench.stores=sqlite,etcd}, {@code -Dkeelson.bench.clients=1,16,64}, {@code
 * -Dkeelson.bench.operations=update,patch,apply,untracked}, {@code -Dkeelson.bench.seconds=4} and
 * {@code -Dkeelson.bench.warm=20} (seconds before the first figure) choose what is measured and how
 * long.
 */
public final class WritesBench {

  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String JSON = "application/json";
  private static final String MERGE_PATCH = "application/merge-patch+json";
  private static final String APPLY = "application/apply-patch+yaml";
  private static final String TOKEN = "writes-bench";

  private static final String NOTE = "\"example.com/one\":\"";

  /** Pods that updates go round on, for each client. */
  private static final int PODS_A_CLIENT = 40;

  private final PrintStream out;
  private final Duration measured =
      Duration.ofSeconds(Integer.getInteger("keelson.bench.seconds", 4));
  private final Duration warmUp = measured.dividedBy(2);
  private final List<double[]> etcdCurve = new ArrayList<>();
  private final List<double[]> cpuCurve = new ArrayList<>();
  private final String[] operations =
      System.getProperty("keelson.bench.operations", "update,patch,apply,untracked").split(",", -1);
  private final AtomicInteger numbers = new AtomicInteger();

  private WritesBench(PrintStream out) {
    this.out = out;
  }

  /** The operation of a client. */
  private interface Operation {
    /**
     * Does it once.
     *
     * @param client the number of the client
     * @param turn how often this client has done it in this measurement
     * @return false if there is nothing left to do
     */
    boolean run(int client, int turn) throws Exception;
  }

  /**
   * What a load has shown: operations a second, and the processor time for each, of the server and
   * of the others, which are the clients and etcd.
   */
  private record Rate(
      double perSecond, Duration p50, Duration p99, double cpuMillis, double othersMillis) {

    /** How much of the machine it took, all of whose processors are one. */
    double ofTheMachine() {
      return perSecond
          * (cpuMillis + othersMillis)
          / 1e3
          / Runtime.getRuntime().availableProcessors();
    }
  }

  /** Runs everything; leaves {@code target/bench/writes.txt} and pictures. */
  public static void main(String... arguments) throws Exception {
    Path directory = Files.createDirectories(Path.of("target", "bench"));
    try (PrintStream file =
        new PrintStream(
            Files.newOutputStream(directory.resolve("writes.txt")), true, StandardCharsets.UTF_8)) {
      new WritesBench(file).run(Files.createTempDirectory(directory, "writes"));
    }
  }

  private void run(Path directory) throws Exception {
    say(
        "%s, TLS, HTTP/1.1, bearer token, RBAC; load average before: %s",
        KeelsonProcess.isNative() ? "native" : "JVM",
        Files.readString(Path.of("/proc/loadavg")).strip());
    for (String store : System.getProperty("keelson.bench.stores", "sqlite,etcd").split(",", -1)) {
      switch (store) {
        case "sqlite" -> {
          Path limit = Files.createDirectories(directory.resolve("sqlite-limit"));
          try (StoreLimit raw = StoreLimit.sqlite(limit.resolve("raw.db"))) {
            measure("SQLite", directory.resolve("sqlite"), List.of(), raw, () -> Duration.ZERO);
          }
        }
        case "etcd" -> {
          try (EtcdProcess etcd = EtcdProcess.create().start();
              StoreLimit raw = StoreLimit.etcd(etcd.endpoint())) {
            List<String> flags =
                List.of(
                    "--etcd-servers", etcd.endpoint().toString(), "--etcd-compaction-interval=0");
            measure("etcd", directory.resolve("etcd"), flags, raw, etcd::cpuTime);
          }
        }
        default -> throw new IllegalArgumentException("no store is called " + store);
      }
    }
    if (!etcdCurve.isEmpty()) {
      Path plots = Files.createDirectories(Path.of("docs", "performance"));
      Plot.write(
          plots.resolve("create.svg"), "Creates on etcd", "clients", "pods a second", etcdCurve);
      Plot.write(
          plots.resolve("create-cpu.svg"),
          "Creates on etcd",
          "clients",
          "ms of the server's CPU each",
          cpuCurve);
    }
  }

  private void measure(
      String name, Path data, List<String> flags, StoreLimit raw, Supplier<Duration> storeTime)
      throws Exception {
    Files.createDirectories(data);
    Path tokens = Files.writeString(data.resolve("tokens.csv"), TOKEN + ",bench,1\n");
    List<String> all = new ArrayList<>(flags);
    all.addAll(
        List.of(
            "--authorization-mode=RBAC",
            "--token-auth-file=" + tokens,
            // as kube-apiserver; others would delete the pods, whose nodes do not exist
            KeelsonProcess.FEW_CONTROLLERS));
    try (KeelsonProcess server = KeelsonProcess.start(data, all)) {
      mayDoEverything(server);
      Pods pods = new Pods(server, storeTime);
      say("%s", name);
      warm(server, pods);
      for (String clients : System.getProperty("keelson.bench.clients", "1,16,64").split(",", -1)) {
        clients(name, server, pods, Integer.parseInt(clients), raw);
      }
      say("  resident memory: %,d MiB", server.residentKibibytes() / 1024);
    }
  }

  private static void mayDoEverything(KeelsonProcess server) throws IOException {
    SSLContext administrator = server.kubeconfig().asUser();
    try (PlainClient client = new PlainClient(server.address(), administrator, "")) {
      byte[] unused =
          client.send(
              "POST",
              "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
              JSON,
              """
              {"metadata":{"name":"bench"},
              "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"cluster-admin"},
              "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"bench"}]}\
              """,
              201);
    }
  }

  /** Lets the JVM compile what is measured. */
  private void warm(KeelsonProcess server, Pods pods) throws Exception {
    long end =
        System.nanoTime() + TimeUnit.SECONDS.toNanos(Integer.getInteger("keelson.bench.warm", 20));
    while (System.nanoTime() < end) {
      try (Round round = new Round(server, pods, 16, Duration.ofSeconds(1))) {
        for (Operation operation : round.operations()) {
          round.loop(operation);
        }
      }
    }
  }

  private void clients(String name, KeelsonProcess server, Pods pods, int clients, StoreLimit raw)
      throws Exception {
    try (Round round = new Round(server, pods, clients, measured)) {
      Rate create = round.rate(round::create);
      raw.values(round.answerBytes);
      print("create", clients, create, round.rate(raw::create));
      if (name.equals("etcd")) {
        etcdCurve.add(new double[] {clients, create.perSecond});
        cpuCurve.add(new double[] {clients, create.cpuMillis});
      }
      raw.clients(clients, PODS_A_CLIENT);
      Rate rawReplace = round.rate(raw::replace);
      for (String each : operations) {
        switch (each) {
          case "update" -> print(each, clients, round.rate(round::update), rawReplace);
          case "patch" -> print(each, clients, round.rate(round::patch), rawReplace);
          case "apply" -> print(each, clients, round.rate(round::apply), rawReplace);
          case "untracked" -> {
            round.forgetManagers();
            print("patch, not tracked", clients, round.rate(round::patch), rawReplace);
          }
          default -> throw new IllegalArgumentException("no operation is called " + each);
        }
      }
      Rate rawDelete = round.rateUntilDone(raw::delete);
      print("delete", clients, round.rateUntilDone(round::delete), rawDelete);
    }
  }

  private void print(String what, int clients, Rate rate, Rate limit) {
    say(
        "  %-18s %2d clients: %,6.0f/s, p50 %6.2f ms, p99 %6.2f ms, %.3f ms of CPU each, clients"
            + " and store %.3f ms, so %3.0f %% of the machine; store alone %,6.0f/s with %3.0f %%"
            + " of it, so %3.0f %%",
        what,
        clients,
        rate.perSecond,
        rate.p50.toNanos() / 1e6,
        rate.p99.toNanos() / 1e6,
        rate.cpuMillis,
        rate.othersMillis,
        100 * rate.ofTheMachine(),
        limit.perSecond,
        100 * limit.ofTheMachine(),
        100 * rate.perSecond / limit.perSecond);
  }

  @FormatMethod
  private void say(String form, Object... values) {
    String line = String.format(Locale.ROOT, form, values);
    out.println(line);
    System.out.println(line);
  }

  /** How a client of a server is made. */
  private static final class Pods {
    private final KeelsonProcess server;
    private final SSLContext tls;
    private final Supplier<Duration> storeTime;

    Pods(KeelsonProcess server, Supplier<Duration> storeTime) {
      this.server = server;
      this.storeTime = storeTime;
      tls = server.kubeconfig().asNobody();
    }

    /**
     * The processor time of the clients, which are in this process, and of the store, if it has
     * one.
     */
    Duration othersTime() {
      Duration here = ProcessHandle.current().info().totalCpuDuration().orElseThrow();
      return here.plus(storeTime.get());
    }

    PlainClient client() throws IOException {
      return new PlainClient(server.address(), tls, TOKEN);
    }
  }

  /** The clients of one measurement, each with its connection, and the pods that they made. */
  private final class Round implements AutoCloseable {
    private final KeelsonProcess server;
    private final Pods pods;
    private final int clients;
    private final Duration time;
    private final List<PlainClient> connections = new ArrayList<>();
    private final List<List<Integer>> own = new ArrayList<>();
    private final Map<Integer, String> kept = new ConcurrentHashMap<>();
    private volatile int answerBytes;

    Round(KeelsonProcess server, Pods pods, int clients, Duration time) throws IOException {
      this.server = server;
      this.pods = pods;
      this.clients = clients;
      this.time = time;
      for (int i = 0; i < clients; i++) {
        connections.add(pods.client());
        own.add(new ArrayList<>());
      }
    }

    List<Operation> operations() {
      return List.of(this::create, this::update, this::patch, this::apply, this::delete);
    }

    boolean create(int client, int turn) throws IOException {
      int number = numbers.incrementAndGet();
      String pod = SamplePod.json(number);
      byte[] answer = connections.get(client).send("POST", PODS, JSON, pod, 201);
      answerBytes = answer.length;
      List<Integer> mine = own.get(client);
      mine.add(number);
      if (mine.size() <= PODS_A_CLIENT) {
        kept.put(number, new String(answer, StandardCharsets.UTF_8));
      }
      return true;
    }

    boolean update(int client, int turn) throws IOException {
      int number = one(client, turn);
      // as a controller does: what was read, with one change, if nobody else has changed it
      String pod = kept.get(number);
      int at = pod.indexOf(NOTE) + NOTE.length();
      String changed = pod.substring(0, at) + note() + pod.substring(pod.indexOf('"', at));
      byte[] answer = connections.get(client).send("PUT", path(number), JSON, changed, 200);
      kept.put(number, new String(answer, StandardCharsets.UTF_8));
      return true;
    }

    boolean patch(int client, int turn) throws IOException {
      String patch =
          "{\"metadata\":{\"annotations\":{\"example.com/one\":\"%s\"}}}".formatted(note());
      byte[] unused =
          connections.get(client).send("PATCH", path(one(client, turn)), MERGE_PATCH, patch, 200);
      return true;
    }

    boolean apply(int client, int turn) throws IOException {
      int number = one(client, turn);
      String pod = SamplePod.json(number, note());
      String path = path(number) + "?fieldManager=bench-apply&force=true";
      byte[] unused = connections.get(client).send("PATCH", path, APPLY, pod, 200);
      return true;
    }

    boolean delete(int client, int turn) throws IOException {
      List<Integer> mine = own.get(client);
      if (mine.isEmpty()) {
        return false;
      }
      String path = path(mine.removeLast()) + "?gracePeriodSeconds=0";
      byte[] unused = connections.get(client).send("DELETE", path, JSON, "", 200);
      return true;
    }

    /** Removes the managed fields of the pods that are changed. */
    void forgetManagers() throws IOException {
      for (int client = 0; client < clients; client++) {
        for (int number :
            own.get(client).subList(0, Math.min(PODS_A_CLIENT, own.get(client).size()))) {
          String patch = "{\"metadata\":{\"managedFields\":[{}]}}";
          byte[] unused =
              connections.get(client).send("PATCH", path(number), MERGE_PATCH, patch, 200);
        }
      }
    }

    private String path(int number) {
      return PODS + "/pod-%06d".formatted(number);
    }

    private String note() {
      return "%020d".formatted(System.nanoTime()) + "a".repeat(100);
    }

    private int one(int client, int turn) {
      List<Integer> mine = own.get(client);
      return mine.get(turn % Math.min(PODS_A_CLIENT, mine.size()));
    }

    Rate rate(Operation operation) throws Exception {
      loop(warmUp, operation, new ArrayList<>());
      return rateUntilDone(operation);
    }

    Rate rateUntilDone(Operation operation) throws Exception {
      Duration before = server.cpuTime();
      Duration othersBefore = pods.othersTime();
      List<long[]> latencies = new ArrayList<>();
      long begin = System.nanoTime();
      long count = loop(time, operation, latencies);
      double seconds = (System.nanoTime() - begin) / 1e9;
      double cpu = server.cpuTime().minus(before).toNanos() / 1e6;
      double others = pods.othersTime().minus(othersBefore).toNanos() / 1e6;
      long[] all = latencies.stream().flatMapToLong(Arrays::stream).sorted().toArray();
      return new Rate(
          count / seconds,
          Duration.ofNanos(all[all.length / 2]),
          Duration.ofNanos(all[(int) (all.length * 0.99)]),
          cpu / count,
          others / count);
    }

    void loop(Operation operation) throws Exception {
      long unused = loop(time, operation, new ArrayList<>());
    }

    private long loop(Duration limit, Operation operation, List<long[]> latencies)
        throws Exception {
      long end = System.nanoTime() + limit.toNanos();
      long count = 0;
      try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
        List<Future<long[]>> loops = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
          int client = i;
          loops.add(threads.submit(() -> turns(operation, client, end)));
        }
        for (Future<long[]> each : loops) {
          long[] nanos = each.get();
          count += nanos.length;
          latencies.add(nanos);
        }
      }
      return count;
    }

    private static long[] turns(Operation operation, int client, long end) throws Exception {
      long[] nanos = new long[1 << 10];
      int turn = 0;
      while (System.nanoTime() < end) {
        long begin = System.nanoTime();
        if (!operation.run(client, turn)) {
          break;
        }
        if (turn == nanos.length) {
          nanos = Arrays.copyOf(nanos, 2 * turn);
        }
        nanos[turn++] = System.nanoTime() - begin;
      }
      return Arrays.copyOf(nanos, turn);
    }

    @Override
    public void close() throws IOException {
      for (PlainClient connection : connections) {
        connection.close();
      }
    }
  }
}
