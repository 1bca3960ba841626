package dev.keelson.bench;

import com.google.errorprone.annotations.FormatMethod;
import dev.keelson.testing.EtcdProcess;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.WebhookServer;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Ten times as many clients as a priority level has seats and places in its queues, on both stores:
 * the cost of a refusal, the rate of what is served against that of as many clients as seats, the
 * time of a leader's lease, memory, and the recovery; then connections that only hold something. A
 * refused client tries again after 100 ms, ten times sooner than it is told to.
 *
 * <p>The cost of a refusal is the processor time of the server over 20,000 of them on warm code,
 * less what it takes in the same time when it is idle: the median of three measurements, and beside
 * it that of a GET that is served. Rates are of turns, with few clients and with many, whose order
 * changes. On SQLite a renewal is a flush of the disk, whose own time is printed beside it.
 *
 * <p>{@code -Dkeelson.bench.seconds=300} is the length of an overload (default 10), {@code
 * -Dkeelson.bench.best=60} that of a turn at the limit (default: the same) and {@code
 * -Dkeelson.bench.turns=best,overload,best} the turns (default two of each). {@code
 * -Dkeelson.bench.held=1000} is the number of slow watchers (default 100), with ten times as many
 * idle connections and a tenth as many lists of ten times as many pods at once. {@code
 * -Dkeelson.bench.stores=etcd} leaves SQLite out. Generator and server share the processors:
 * processor time and ratios count, rates do not.
 */
public final class OverloadBench {

  private static final String API = "/apis/flowcontrol.apiserver.k8s.io/v1";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
  private static final String JSON = "application/json";

  /** The revisions of five minutes, which are the interval of compaction, take over 2 GiB. */
  private static final String ETCD_QUOTA = "--quota-backend-bytes=8589934592";

  private static final int SEATS = 4;
  private static final int QUEUE = 4;
  private static final int REQUESTS = 20_000;
  private static final int REQUESTERS = 4;
  private static final int MEASUREMENTS = 3;

  /** Runs of so many requests before, until the code is compiled. */
  private static final int WARM_UPS = 4;

  private static final Duration IDLE = Duration.ofSeconds(5);

  /** Webhooks that are called one after the other, each for half a minute at most. */
  private static final int WEBHOOKS = 10;

  private static final int REQUEST_BYTES = 2_000;
  private static final long BACK_OFF = TimeUnit.MILLISECONDS.toNanos(100);

  private static final String TOKENS =
      """
      flood,flood,1,"floods"
      held,held,2,"held"
      elected,system:kube-scheduler,3,"system:authenticated"
      admin,admin,4,"system:masters"
      """;

  private final PrintStream out;
  private final Path directory;
  private final int seconds = Integer.getInteger("keelson.bench.seconds", 10);
  private final int bestSeconds = Integer.getInteger("keelson.bench.best", seconds);
  private final List<String> turns =
      List.of(System.getProperty("keelson.bench.turns", "best,overload,overload,best").split(","));
  private final int held = Integer.getInteger("keelson.bench.held", 100);

  private OverloadBench(PrintStream out, Path directory) {
    this.out = out;
    this.directory = directory;
  }

  /** Runs on both stores and leaves {@code target/bench/overload*.svg} and {@code overload.txt}. */
  public static void main(String... arguments) throws Exception {
    if (System.getProperty("keelson.java.options") == null) {
      // the tests' own options leave the optimizing compiler out
      System.setProperty("keelson.java.options", "-Xmx512m -XX:+UseSerialGC");
    }
    Path directory = Files.createDirectories(Path.of("target", "bench"));
    try (PrintStream file =
        new PrintStream(
            Files.newOutputStream(directory.resolve("overload.txt")),
            true,
            StandardCharsets.UTF_8)) {
      OverloadBench bench = new OverloadBench(file, directory);
      bench.say("load average before: %s", Files.readString(Path.of("/proc/loadavg")).strip());
      List<String> stores =
          List.of(System.getProperty("keelson.bench.stores", "sqlite,etcd").split(","));
      if (stores.contains("sqlite")) {
        bench.run("sqlite", List.of());
      }
      if (stores.contains("etcd")) {
        try (EtcdProcess etcd = EtcdProcess.create(List.of(ETCD_QUOTA)).start()) {
          bench.run("etcd", List.of("--etcd-servers=" + etcd.endpoint()));
        }
      }
    }
  }

  @FormatMethod
  private void say(String format, Object... values) {
    String line = String.format(Locale.ROOT, format, values);
    out.println(line);
    System.out.println(line);
  }

  private void run(String store, List<String> flags) throws Exception {
    Path data = Files.createTempDirectory("keelson-overload");
    List<String> all =
        new ArrayList<>(
            List.of(
                "--authorization-mode=AlwaysAllow",
                "--request-timeout=10m",
                "--disable-admission-plugins=ServiceAccount",
                "--token-auth-file=" + Files.writeString(data.resolve("tokens"), TOKENS),
                KeelsonProcess.FEW_CONTROLLERS));
    all.addAll(flags);
    CountDownLatch release = new CountDownLatch(1);
    try (WebhookServer webhook =
            new WebhookServer("localhost", WebhookServer.allowingAfter(release));
        KeelsonProcess server = KeelsonProcess.start(data.resolve("server"), all)) {
      say(
          "%s, %d clients for %d seats, %d s; load average %s",
          store, clients(), SEATS, seconds, Files.readString(Path.of("/proc/loadavg")).strip());
      configure(RestClient.administrator(server), webhook);
      new Load(server, data).run(store, release);
      holders(server);
    }
  }

  private static int clients() {
    return 10 * (SEATS + QUEUE);
  }

  private static void configure(RestClient admin, WebhookServer webhook) {
    // of 600 seats for 247 shares: 5 for the flood, 3 for those who hold them
    post(
        admin,
        API + "/prioritylevelconfigurations",
        level(
            "flood",
            1.6,
            "\"Queue\", \"queuing\": {\"queues\": 1, \"handSize\": 1,"
                + " \"queueLengthLimit\": "
                + QUEUE
                + "}"));
    post(admin, API + "/prioritylevelconfigurations", level("held", 0.3, "\"Reject\""));
    post(admin, API + "/flowschemas", schema("flood", "floods"));
    post(admin, API + "/flowschemas", schema("held", "held"));
    String authority =
        Base64.getEncoder().encodeToString(webhook.pem().getBytes(StandardCharsets.UTF_8));
    String webhooks =
        IntStream.range(0, WEBHOOKS)
            .mapToObj(
                i ->
                    """
                    {"name": "slow-%d.example.com",
                      "clientConfig": {"url": "%s", "caBundle": "%s"},
                      "rules": [{"operations": ["CREATE"], "apiGroups": [""],
                        "apiVersions": ["v1"], "resources": ["secrets"]}],
                      "matchConditions": [{"name": "held", "expression":
                        "request.userInfo.username == 'held'"}],
                      "failurePolicy": "Ignore", "sideEffects": "None", "timeoutSeconds": 30,
                      "admissionReviewVersions": ["v1"]}
                    """
                        .formatted(i, webhook.url(), authority))
            .collect(Collectors.joining(","));
    post(
        admin,
        "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
        "{\"metadata\": {\"name\": \"slow\"}, \"webhooks\": [" + webhooks + "]}");
    post(admin, MAPS, map("one", 0));
    post(
        admin,
        LEASES,
        "{\"metadata\": {\"name\": \"leader\"}, \"spec\": {\"holderIdentity\": \"a\"}}");
  }

  /** A ConfigMap; another number makes it another object. */
  private static String map(String name, int number) {
    return "{\"metadata\": {\"name\": \"%s\"}, \"data\": {\"n\": \"%d\", \"x\": \"%s\"}}"
        .formatted(name, number, "x".repeat(REQUEST_BYTES));
  }

  private static void post(RestClient admin, String path, String body) {
    var answer = admin.post(path, body);
    if (answer.statusCode() != 201) {
      throw new IllegalStateException(path + ": " + answer.asString());
    }
  }

  private static String level(String name, double shares, String response) {
    return """
    {"metadata": {"name": "%s"}, "spec": {"type": "Limited", "limited": {
      "nominalConcurrencyShares": %d, "lendablePercent": 0, "borrowingLimitPercent": 0,
      "limitResponse": {"type": %s}}}}
    """
        .formatted(name, Math.round(Math.max(1, shares)), response);
  }

  private static String schema(String name, String group) {
    return """
    {"metadata": {"name": "%1$s"}, "spec": {
      "priorityLevelConfiguration": {"name": "%1$s"}, "matchingPrecedence": 50,
      "distinguisherMethod": {"type": "ByUser"},
      "rules": [{"subjects": [{"kind": "Group", "group": {"name": "%2$s"}}],
        "resourceRules": [{"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"],
          "namespaces": ["*"], "clusterScope": true}]}]}}
    """
        .formatted(name, group);
  }

  private static PlainClient client(KeelsonProcess server, String token) throws IOException {
    return new PlainClient(server.address(), server.kubeconfig().asNobody(), token);
  }

  private static double mean(@Nullable List<Double> values) {
    return values == null
        ? Double.NaN
        : values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
  }

  private static double percentile(List<Double> values, int percent) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.isEmpty()
        ? Double.NaN
        : sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100));
  }

  /** The load of one server. */
  private final class Load {
    private final KeelsonProcess server;
    private final Path data;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    Load(KeelsonProcess server, Path data) {
      this.server = server;
      this.data = data;
    }

    void run(String store, CountDownLatch release) throws Exception {
      try (threads) {
        refusals(release);
        double unusedWarm = updates("warm-" + store, SEATS, bestSeconds);
        Map<String, List<Double>> rates = new HashMap<>();
        for (String turn : turns) {
          double rate =
              switch (turn) {
                case "best" -> updates("best-" + store, SEATS, bestSeconds);
                case "overload" -> updates("overload-" + store, clients(), seconds);
                default -> throw new IllegalArgumentException("keelson.bench.turns: " + turn);
              };
          rates.computeIfAbsent(turn, key -> new ArrayList<>()).add(rate);
        }
        say(
            "  served at ten times the limit: %.0f %% of the best (limit 90)",
            100 * mean(rates.get("overload")) / mean(rates.get("best")));
        recovery();
      }
    }

    /** The seats of a level are held, so that every request is refused. */
    private void refusals(CountDownLatch release) throws Exception {
      int seats = 10;
      List<Future<?>> holding = new ArrayList<>();
      for (int i = 0; i < seats; i++) {
        String secret = "{\"metadata\": {\"name\": \"s" + i + "\"}}";
        holding.add(
            threads.submit(
                () -> {
                  try (PlainClient client = client(server, "held")) {
                    return client.status(
                        "POST", "/api/v1/namespaces/default/secrets", JSON, secret);
                  }
                }));
      }
      awaitRefusals();
      double refusal = cost("held", 429);
      say(
          "  a refusal: %.0f us of CPU of the server (limit 50), with TLS and HTTP/1.1; a GET that is"
              + " served: %.0f us",
          refusal, cost("admin", 200));
      release.countDown();
      for (Future<?> each : holding) {
        Object unused = each.get();
      }
    }

    private void awaitRefusals() throws IOException {
      try (PlainClient client = client(server, "held")) {
        for (int row = 0; row < 20; ) {
          row = client.status("GET", MAPS + "/one", JSON, "") == 429 ? row + 1 : 0;
        }
      }
    }

    /** The processor time of a request in microseconds: the median of several measurements. */
    private double cost(String token, int status) throws Exception {
      List<PlainClient> clients = new ArrayList<>();
      try {
        for (int i = 0; i < REQUESTERS; i++) {
          clients.add(client(server, token));
        }
        double warmUp = 0;
        for (int i = 0; i < WARM_UPS; i++) {
          warmUp = ask(clients, status, 0);
        }
        long before = server.cpuTime().toNanos();
        long begin = System.nanoTime();
        LockSupport.parkNanos(IDLE.toNanos());
        double idle = (server.cpuTime().toNanos() - before) / (double) (System.nanoTime() - begin);
        List<Double> micros = new ArrayList<>();
        for (int i = 0; i < MEASUREMENTS; i++) {
          micros.add(ask(clients, status, idle));
        }
        say(
            "    %d: %.0f us while warming up, then %s; idle %.1f %% of a core",
            status,
            warmUp,
            micros.stream().map(each -> "%.0f".formatted(each)).toList(),
            100 * idle);
        return percentile(micros, 50);
      } finally {
        for (PlainClient each : clients) {
          each.close();
        }
      }
    }

    /**
     * Sends requests on all connections.
     *
     * @param idle the processor time of the idle server, of its time
     * @return the processor time of the server for each, in microseconds
     */
    private double ask(List<PlainClient> clients, int status, double idle) throws Exception {
      long before = server.cpuTime().toNanos();
      long begin = System.nanoTime();
      AtomicInteger begun = new AtomicInteger();
      List<Future<?>> all = new ArrayList<>();
      for (PlainClient client : clients) {
        all.add(
            threads.submit(
                () -> {
                  while (begun.getAndIncrement() < REQUESTS) {
                    byte[] unused = client.send("GET", MAPS + "/one", JSON, "", status);
                  }
                  return null;
                }));
      }
      for (Future<?> each : all) {
        Object unused = each.get();
      }
      return (server.cpuTime().toNanos() - before - idle * (System.nanoTime() - begin))
          / 1e3
          / REQUESTS;
    }

    /** Updates of ConfigMaps by so many clients; the number that were served a second. */
    private double updates(String name, int clients, int seconds) throws Exception {
      AtomicBoolean over = new AtomicBoolean();
      AtomicLongArray served = new AtomicLongArray(seconds + 2);
      AtomicLongArray refused = new AtomicLongArray(seconds + 2);
      long begin = System.nanoTime();
      long cpu = server.cpuTime().toNanos();
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        String object = "m" + i;
        String path = MAPS + "/" + object;
        all.add(
            threads.submit(
                () -> {
                  try (PlainClient client = client(server, "flood")) {
                    for (int number = 0; !over.get(); number++) {
                      String map = map(object, number);
                      int status = client.status("PUT", path, JSON, map);
                      if (status == 404) {
                        status = client.status("POST", MAPS, JSON, map);
                      }
                      int second =
                          (int) Math.min(seconds + 1, (System.nanoTime() - begin) / 1_000_000_000);
                      if (status / 100 == 2) {
                        served.incrementAndGet(second);
                      } else if (status == 429) {
                        refused.incrementAndGet(second);
                        LockSupport.parkNanos(BACK_OFF);
                      } else {
                        throw new IllegalStateException("status " + status);
                      }
                    }
                  }
                  return null;
                }));
      }
      List<Double> leases;
      List<Double> flushes;
      try (FlushTimes disk = new FlushTimes(data)) {
        leases = renew(begin + seconds * 1_000_000_000L);
        flushes = disk.end();
      }
      over.set(true);
      int broken = 0;
      for (Future<?> each : all) {
        try {
          Object unused = each.get();
        } catch (ExecutionException e) {
          if (!(e.getCause() instanceof IOException)) {
            throw e;
          }
          broken++;
        }
      }
      if (broken > 0) {
        say("  %d of %d clients lost their connection", broken, clients);
      }
      double total = 0;
      double dropped = 0;
      List<double[]> rates = new ArrayList<>();
      for (int i = 0; i < seconds; i++) {
        total += served.get(i);
        dropped += refused.get(i);
        rates.add(new double[] {i, served.get(i)});
      }
      List<double[]> times = new ArrayList<>();
      int step = Math.max(1, leases.size() / 30);
      for (int i = 0; i < leases.size(); i += step) {
        times.add(new double[] {i, leases.get(i)});
      }
      Plot.write(directory.resolve(name + ".svg"), name + ": served", "second", "a second", rates);
      Plot.write(directory.resolve(name + "-lease.svg"), name + ": lease", "renewal", "ms", times);
      say(
          "  %3d clients: %.0f served and %.0f refused a second; lease p50 %.1f, p99 %.1f ms (limit"
              + " 100), a flush of the disk beside it p50 %.1f, p99 %.1f ms; CPU of the server %.0f %%"
              + " of a core; resident %,d MiB",
          clients,
          total / seconds,
          dropped / seconds,
          percentile(leases, 50),
          percentile(leases, 99),
          percentile(flushes, 50),
          percentile(flushes, 99),
          (server.cpuTime().toNanos() - cpu) / 1e7 / seconds,
          server.residentKibibytes() / 1024);
      return total / seconds;
    }

    private List<Double> renew(long until) throws IOException {
      return OverloadBench.renew(server, until);
    }

    /** The time until requests of the level are served again, twenty in a row. */
    private void recovery() throws IOException {
      long begin = System.nanoTime();
      long good = begin;
      int row = 0;
      try (PlainClient client = client(server, "flood")) {
        while (row < 20) {
          row = client.status("GET", MAPS + "/one", JSON, "") == 200 ? row + 1 : 0;
          good = row == 1 ? System.nanoTime() : good;
        }
      }
      say("  recovered after %.0f ms (limit 2000)", (good - begin) / 1e6);
    }
  }

  /** Renews a lease twenty times a second; the times in milliseconds. */
  private static List<Double> renew(KeelsonProcess server, long until) throws IOException {
    List<Double> times = new ArrayList<>();
    try (PlainClient client = client(server, "elected")) {
      for (int i = 0; System.nanoTime() < until; i++) {
        long begin = System.nanoTime();
        byte[] unused =
            client.sendAny(
                "PATCH",
                LEASES + "/leader",
                "application/merge-patch+json",
                "{\"spec\": {\"leaseTransitions\": " + i + "}}");
        times.add((System.nanoTime() - begin) / 1e6);
        LockSupport.parkNanos(50_000_000);
      }
    }
    return times;
  }

  /** Connections that hold something while a leader renews its lease. */
  private void holders(KeelsonProcess server) throws Exception {
    List<AutoCloseable> open = new ArrayList<>();
    try {
      for (int i = 0; i < held; i++) {
        Socket watch = server.kubeconfig().asUser().getSocketFactory().createSocket();
        open.add(watch);
        watch.setReceiveBufferSize(4096);
        watch.connect(
            new java.net.InetSocketAddress(server.address().getHost(), server.address().getPort()));
        watch
            .getOutputStream()
            .write(
                ("GET " + MAPS + "?watch=1 HTTP/1.1\r\nHost: k\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
      }
      hold(server, held + " watches that are not read");
      for (int i = 0; i < 10 * held; i++) {
        PlainClient idle = client(server, "admin");
        open.add(idle);
        byte[] unused = idle.send("GET", "/version", JSON, "", 200);
      }
      hold(server, 10 * held + " idle connections more");
      pods(server, 10 * held);
      Process lists = lists(server, held / 10);
      open.add(lists::destroy);
      hold(server, "%d lists of %,d pods at once more".formatted(held / 10, 10 * held));
      if (!lists.isAlive()) {
        throw new IllegalStateException("curl ended with " + lists.exitValue());
      }
    } finally {
      for (AutoCloseable each : open) {
        each.close();
      }
    }
  }

  private static void pods(KeelsonProcess server, int count) throws IOException {
    try (PlainClient client = client(server, "admin")) {
      for (int i = 0; i < count; i++) {
        byte[] unused = client.send("POST", PODS, JSON, SamplePod.shortJson(i), 201);
      }
    }
  }

  /**
   * Reads lists, so many at once, again and again. A process of its own does it: in this one the
   * decryption of some hundred MB a second would keep the client of the lease waiting.
   */
  private static Process lists(KeelsonProcess server, int count) throws IOException {
    Process curl =
        new ProcessBuilder("curl", "--no-progress-meter", "--insecure", "--fail", "--config", "-")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    // by standard input, since the arguments of a process can be read by all
    try (BufferedWriter config = curl.outputWriter(StandardCharsets.UTF_8)) {
      config.write(
          """
          parallel
          parallel-immediate
          parallel-max = %d
          header = "Authorization: Bearer admin"
          url = "%s%s?times=[1-1000000]"
          output = "/dev/null"
          """
              .formatted(count, server.address(), PODS));
    }
    return curl;
  }

  private void hold(KeelsonProcess server, String what) throws IOException {
    List<Double> times = renew(server, System.nanoTime() + 3_000_000_000L);
    say(
        "  %s: lease p50 %.1f, p99 %.1f ms; resident %,d MiB",
        what, percentile(times, 50), percentile(times, 99), server.residentKibibytes() / 1024);
  }
}
