package dev.keelson.bench;

import dev.keelson.testing.Kubeconfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Compares one or two builds of the server by the cost of the path from the connection to the verbs
 * and back: CPU time of the server (user and system) per GET, a LIST of 1,000 pods and an event to
 * many watchers, over TLS and HTTP/1.1 on SQLite; start-up and resident memory. Rounds of the two
 * alternate, so that noise affects both, and the median counts.
 *
 * <p>{@code -Dkeelson.bench.servers=/a/keelson-runner,/b/keelson-runner} names the executables, the
 * one to compare with first; without it {@code bin/keelson} is measured. {@code
 * -Dkeelson.bench.rounds} and {@code -Dkeelson.bench.starts} are the numbers of rounds and of
 * starts.
 */
public final class EdgeBench {

  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String MAP = "/api/v1/namespaces/default/configmaps/changing";
  private static final int OBJECTS = 1_000;
  private static final int GETS = 6_000;
  private static final int LISTS = 40;
  private static final int WATCHERS = 200;
  private static final int CHANGES = 100;
  private static final int CONNECTIONS = 8;
  private static final double MILLIS_PER_TICK = 10;
  private static final Pattern READY = Pattern.compile("(https://[^\\s,/]+:\\d+) in ");

  private final List<String> commands;
  private final int rounds;
  private final int starts;
  private final PrintStream out;

  private EdgeBench(List<String> commands, int rounds, int starts, PrintStream out) {
    this.commands = commands;
    this.rounds = rounds;
    this.starts = starts;
    this.out = out;
  }

  /** Runs everything and leaves {@code target/bench/edge.txt}. */
  public static void main(String... arguments) throws Exception {
    String servers =
        System.getProperty(
            "keelson.bench.servers", Path.of("bin", "keelson").toAbsolutePath().toString());
    int rounds = Integer.getInteger("keelson.bench.rounds", 7);
    int starts = Integer.getInteger("keelson.bench.starts", 7);
    Path directory = Files.createDirectories(Path.of("target", "bench"));
    try (PrintStream file =
        new PrintStream(
            Files.newOutputStream(directory.resolve("edge.txt")), true, StandardCharsets.UTF_8)) {
      new EdgeBench(List.of(servers.split(",", -1)), rounds, starts, file).run();
    }
  }

  private void run() throws Exception {
    List<List<Double>> began = perServer();
    List<List<Double>> empty = perServer();
    for (int i = 0; i < starts; i++) {
      for (int s = 0; s < commands.size(); s++) {
        try (Server server = Server.start(commands.get(s))) {
          began.get(s).add(server.startMillis);
          empty.get(s).add(server.residentMebibytes());
        }
      }
    }
    if (starts > 0) {
      say("start to ready", "ms", began);
      say("resident after the start", "MiB", empty);
    }
    List<Server> servers = new ArrayList<>();
    try {
      for (String command : commands) {
        servers.add(Server.start(command));
      }
      for (Server server : servers) {
        server.fill();
      }
      measure("GET of a pod", servers, GETS, Server::gets);
      measure("LIST of 1,000 pods", servers, LISTS, Server::lists);
      measure("write of a config map", servers, CHANGES, Server::changes);
      for (Server server : servers) {
        server.watch();
      }
      measure("write and 200 events", servers, CHANGES, Server::watchedChanges);
      List<List<Double>> full = perServer();
      for (int s = 0; s < servers.size(); s++) {
        full.get(s).add(servers.get(s).residentMebibytes());
      }
      say("resident at the end", "MiB", full);
    } finally {
      for (Server server : servers) {
        server.close();
      }
    }
  }

  private List<List<Double>> perServer() {
    return Stream.generate(() -> (List<Double>) new ArrayList<Double>())
        .limit(commands.size())
        .toList();
  }

  private interface Work {
    void run(Server server, int count) throws Exception;
  }

  private void measure(String what, List<Server> servers, int count, Work work) throws Exception {
    for (int warm = 0; warm < 2; warm++) {
      for (Server server : servers) {
        work.run(server, count);
      }
    }
    List<List<Double>> micros = perServer();
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < servers.size(); i++) {
        int s = round % 2 == 0 ? i : servers.size() - 1 - i;
        double before = servers.get(s).cpuMillis();
        work.run(servers.get(s), count);
        micros.get(s).add((servers.get(s).cpuMillis() - before) * 1000 / count);
      }
    }
    say(what, "microseconds of CPU", micros);
  }

  private static double median(List<Double> values) {
    List<Double> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    return sorted.get(sorted.size() / 2);
  }

  private void say(String what, String unit, List<List<Double>> values) {
    StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-26s", what));
    for (List<Double> each : values) {
      line.append(
          String.format(
              Locale.ROOT,
              " %9.1f (%.1f to %.1f)",
              median(each),
              Collections.min(each),
              Collections.max(each)));
    }
    line.append(' ').append(unit);
    if (values.size() == 2) {
      double ratio = median(values.get(1)) / median(values.get(0));
      line.append(String.format(Locale.ROOT, ", %+.1f %%", (ratio - 1) * 100));
    }
    System.out.println(line);
    out.println(line);
  }

  /** A server under measurement. */
  private static final class Server implements AutoCloseable {
    private final Process process;
    private final URI address;
    private final double startMillis;
    private final HttpClient client;
    private final LongAdder lines = new LongAdder();
    private long expected;

    private Server(Process process, URI address, double startMillis, HttpClient client) {
      this.process = process;
      this.address = address;
      this.startMillis = startMillis;
      this.client = client;
    }

    static Server start(String command) throws Exception {
      Path directory = Files.createTempDirectory("edge-bench");
      long begin = System.nanoTime();
      Process process =
          new ProcessBuilder(
                  command,
                  "--data-dir",
                  directory.toString(),
                  "--secure-port",
                  "0",
                  "--authorization-mode",
                  "RBAC",
                  "--max-requests-inflight",
                  "0")
              .redirectErrorStream(true)
              .start();
      CompletableFuture<URI> ready = new CompletableFuture<>();
      Thread.ofPlatform().daemon().start(() -> read(process, ready));
      URI address = ready.get(120, TimeUnit.SECONDS);
      double millis = (System.nanoTime() - begin) / 1e6;
      HttpClient client =
          HttpClient.newBuilder()
              .sslContext(Kubeconfig.read(directory.resolve("admin.kubeconfig")).asUser())
              .version(HttpClient.Version.HTTP_1_1)
              .build();
      return new Server(process, address, millis, client);
    }

    private static void read(Process process, CompletableFuture<URI> ready) {
      try (BufferedReader log = process.inputReader(StandardCharsets.UTF_8)) {
        for (String line = log.readLine(); line != null; line = log.readLine()) {
          Matcher found = READY.matcher(line);
          if (found.find()) {
            ready.complete(URI.create(found.group(1)));
          }
        }
        ready.completeExceptionally(new IOException("the server ended"));
      } catch (IOException e) {
        ready.completeExceptionally(e);
      }
    }

    /** User and system time of the process, in milliseconds; a step is one tick of the system. */
    double cpuMillis() throws IOException {
      String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * MILLIS_PER_TICK;
    }

    double residentMebibytes() throws IOException {
      return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .mapToDouble(kib -> kib / 1024.0)
          .findFirst()
          .orElseThrow();
    }

    private void send(HttpRequest request, int code) throws Exception {
      HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
      if (answer.statusCode() != code) {
        throw new IllegalStateException(
            answer.statusCode() + ": " + new String(answer.body(), StandardCharsets.UTF_8));
      }
    }

    private HttpRequest get(String path) {
      return HttpRequest.newBuilder(address.resolve(path))
          .header("Accept", "application/json")
          .build();
    }

    private HttpRequest sending(String method, String path, String type, String body) {
      return HttpRequest.newBuilder(address.resolve(path))
          .header("Content-Type", type)
          .method(method, HttpRequest.BodyPublishers.ofString(body))
          .build();
    }

    void fill() throws Exception {
      for (int i = 0; i < OBJECTS; i++) {
        send(sending("POST", PODS, "application/json", SamplePod.shortJson(i)), 201);
      }
      String map =
          "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"changing\"}}";
      send(sending("POST", "/api/v1/namespaces/default/configmaps", "application/json", map), 201);
    }

    void gets(int count) throws Exception {
      HttpRequest one = get(PODS + "/pod-000007");
      CountDownLatch done = new CountDownLatch(CONNECTIONS);
      ConcurrentLinkedQueue<Exception> failures = new ConcurrentLinkedQueue<>();
      for (int c = 0; c < CONNECTIONS; c++) {
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    for (int i = 0; i < count / CONNECTIONS; i++) {
                      send(one, 200);
                    }
                  } catch (Exception e) {
                    failures.add(e);
                  } finally {
                    done.countDown();
                  }
                });
      }
      done.await();
      if (!failures.isEmpty()) {
        throw failures.element();
      }
    }

    void lists(int count) throws Exception {
      for (int i = 0; i < count; i++) {
        send(get(PODS), 200);
      }
    }

    void changes(int count) throws Exception {
      for (int i = 0; i < count; i++) {
        String patch = "{\"data\":{\"n\":\"%d\"}}".formatted(System.nanoTime());
        send(sending("PATCH", MAP, "application/merge-patch+json", patch), 200);
      }
    }

    void watch() throws Exception {
      CountDownLatch open = new CountDownLatch(WATCHERS);
      for (int i = 0; i < WATCHERS; i++) {
        var unused =
            client.sendAsync(
                get("/api/v1/namespaces/default/configmaps?watch=1"),
                info -> {
                  open.countDown();
                  return HttpResponse.BodyHandlers.fromLineSubscriber(new Counting(lines))
                      .apply(info);
                });
      }
      if (!open.await(60, TimeUnit.SECONDS)) {
        throw new TimeoutException("not every watch began");
      }
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2));
      expected = lines.sum();
    }

    void watchedChanges(int count) throws Exception {
      changes(count);
      expected += (long) count * WATCHERS;
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (lines.sum() < expected) {
        if (System.nanoTime() > end) {
          throw new TimeoutException("events are missing: " + (expected - lines.sum()));
        }
        LockSupport.parkNanos(1_000_000);
      }
    }

    @Override
    public void close() throws Exception {
      client.shutdownNow();
      process.destroy();
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    }
  }

  /** Counts lines. */
  private record Counting(LongAdder lines) implements Flow.Subscriber<String> {
    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(String line) {
      lines.increment();
    }

    @Override
    public void onError(Throwable error) {
      // the server has been stopped
    }

    @Override
    public void onComplete() {
      // the server has been stopped
    }
  }
}
