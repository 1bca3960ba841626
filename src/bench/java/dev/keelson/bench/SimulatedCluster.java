package dev.keelson.bench;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.keelson.testing.KeelsonProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/**
 * A packaged server with controllers, scheduler and simulated nodes on SQLite, and the measurements
 * of the benches of workloads. The JVM has 1 GiB of heap, the serial collector and the first
 * compiler alone, so that compiling costs little of the time that is measured, unless {@code
 * keelson.java.options} is set. Owned by one thread.
 */
final class SimulatedCluster implements AutoCloseable {

  private static final String NODES = "/api/v1/nodes";
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
  private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  private static final String JSON = "application/json";
  private static final String JAVA_OPTIONS = "keelson.java.options";
  private static final int CLIENTS = 8;
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_TAIL = Duration.ofSeconds(60);
  private static final DateTimeFormatter MICRO_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final Pattern USED_HEAP = Pattern.compile("(?:total [^,]*, )?used (\\d+)K");

  private final PrintStream out = System.out;
  private final KeelsonProcess server;
  private final SSLContext tls;
  private final PlainClient client;

  private SimulatedCluster(KeelsonProcess server) throws IOException {
    this.server = server;
    this.tls = server.kubeconfig().asUser();
    this.client = connect();
  }

  /** Starts a server on an empty store. */
  static SimulatedCluster start(List<String> flags) throws IOException {
    return start(Files.createTempDirectory("cluster"), flags);
  }

  /** Starts a server on a data directory. */
  static SimulatedCluster start(Path data, List<String> flags) throws IOException {
    if (System.getProperty(JAVA_OPTIONS) == null) {
      System.setProperty(JAVA_OPTIONS, "-Xmx1g -XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    }
    return new SimulatedCluster(KeelsonProcess.start(data, flags));
  }

  private PlainClient connect() throws IOException {
    return new PlainClient(server.address(), tls, "");
  }

  /** The server's process. */
  KeelsonProcess server() {
    return server;
  }

  /** Prints a line with the load average of the machine behind it. */
  void say(String text) {
    try {
      String load = Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0];
      out.printf(Locale.ROOT, "%s (load average %s)%n", text, load);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The body of a GET. */
  String get(String path) {
    try {
      return new String(client.send("GET", path, JSON, "", 200), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until so many nodes are registered. */
  void awaitNodes(int count) {
    await(() -> items(NODES + "?resourceVersion=0") == count);
  }

  /** The number of pods without an end. */
  int pods() {
    return items(PODS + "?resourceVersion=0");
  }

  private int items(String path) {
    return JsonParser.parseString(get(path)).getAsJsonObject().getAsJsonArray("items").size();
  }

  /** Creates Deployments {@code NAME-0} and so on by several clients. */
  void createDeployments(String name, int count, int replicas) {
    createAll(
        DEPLOYMENTS,
        count,
        index ->
            """
            {"metadata":{"name":"%1$s-%2$d"},"spec":{"replicas":%3$d,
            "selector":{"matchLabels":{"app":"%1$s-%2$d"}},
            "template":{"metadata":{"labels":{"app":"%1$s-%2$d"}},"spec":%4$s}}}
            """
                .formatted(name, index, replicas, podSpec()));
  }

  /** Waits until all pods of Deployments {@code NAME-0} and so on are ready. */
  void awaitReady(String name, int count, int replicas) {
    for (int i = 0; i < count; i++) {
      String path = DEPLOYMENTS + "/" + name + "-" + i;
      await(() -> readyReplicas(path) == replicas);
    }
  }

  private int readyReplicas(String deployment) {
    JsonObject status =
        JsonParser.parseString(get(deployment)).getAsJsonObject().getAsJsonObject("status");
    return status.has("readyReplicas") ? status.get("readyReplicas").getAsInt() : 0;
  }

  /** Creates pods {@code NAME-0} and so on by several clients. */
  void createPods(String name, int count) {
    createAll(
        PODS,
        count,
        index ->
            "{\"metadata\":{\"name\":\"%s-%d\",\"labels\":{\"app\":\"%s\"}},\"spec\":%s}"
                .formatted(name, index, name, podSpec()));
  }

  /** Creates Leases as kubelets have them, and returns their resourceVersions. */
  String[] createLeases(int count) {
    String[] versions = new String[count];
    sendAll(
        count,
        (own, index) ->
            versions[index] = version(own.sendAny("POST", LEASES, JSON, lease(index, ""))));
    return versions;
  }

  /**
   * Renews each of these Leases once, as kubelets do, by several clients.
   *
   * @param versions the last resourceVersions, which are replaced
   */
  void renewLeases(String[] versions) {
    sendAll(
        versions.length,
        (own, index) ->
            versions[index] =
                version(
                    own.sendAny(
                        "PUT", LEASES + "/kubelet-" + index, JSON, lease(index, versions[index]))));
  }

  private static String version(byte[] object) {
    return JsonParser.parseString(new String(object, StandardCharsets.UTF_8))
        .getAsJsonObject()
        .getAsJsonObject("metadata")
        .get("resourceVersion")
        .getAsString();
  }

  private static String lease(int index, String version) {
    return """
        {"metadata":{"name":"kubelet-%1$d","resourceVersion":"%2$s"},"spec":{
        "holderIdentity":"kubelet-%1$d","leaseDurationSeconds":40,"renewTime":"%3$s"}}
        """
        .formatted(index, version, MICRO_TIME.format(Instant.now()));
  }

  private static String podSpec() {
    return """
        {"containers":[{"name":"main","image":"nginx",
        "resources":{"requests":{"cpu":"10m","memory":"16Mi"}}}]}
        """;
  }

  /** Sends a request by its number. */
  @FunctionalInterface
  private interface Sender {
    void send(PlainClient own, int index) throws IOException;
  }

  private void createAll(String path, int count, IntFunction<String> body) {
    sendAll(
        count,
        (own, index) -> {
          byte[] unused = own.sendAny("POST", path, JSON, body.apply(index));
        });
  }

  private void sendAll(int count, Sender sender) {
    int clients = Math.min(count, CLIENTS);
    List<Future<?>> running = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
      for (int i = 0; i < clients; i++) {
        int first = i;
        running.add(
            threads.submit(
                () -> {
                  try (PlainClient own = connect()) {
                    for (int index = first; index < count; index += clients) {
                      sender.send(own, index);
                    }
                    return null;
                  }
                }));
      }
      for (Future<?> each : running) {
        Object unused = each.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /**
   * Prints the time of some work and the server's processor time for it, which includes what it
   * does behind the work: the last Events and states are written in the seconds after.
   *
   * @param pods among which the processor time is divided
   */
  void measure(String what, int pods, Runnable work) {
    Duration cpu = server.cpuTime();
    long begin = System.nanoTime();
    work.run();
    double seconds = (System.nanoTime() - begin) / 1e9;
    settle();
    double millis = server.cpuTime().minus(cpu).toNanos() / 1e6 / pods;
    say(
        "%s: %.1f s, %.0f pods a second, %.2f ms of CPU of the server a pod"
            .formatted(what, seconds, pods / seconds, millis));
  }

  /** Waits for a second in which the server uses less than a twentieth of a processor. */
  private void settle() {
    long end = System.nanoTime() + LONGEST_TAIL.toNanos();
    Duration before;
    do {
      before = server.cpuTime();
      LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
    } while (server.cpuTime().minus(before).toMillis() > 50 && System.nanoTime() - end < 0);
  }

  /** Prints, and returns, how much of a processor a server uses that is left alone. */
  double rest(String what, Duration length) {
    Duration before = server.cpuTime();
    long begin = System.nanoTime();
    LockSupport.parkNanos(length.toNanos());
    long used = server.cpuTime().minus(before).toNanos();
    double share = (double) used / (System.nanoTime() - begin);
    say("at rest with %s: %.2f %% of a processor".formatted(what, 100 * share));
    return share;
  }

  /**
   * The heap in use after a collection, in KiB; JVM only.
   *
   * @throws IllegalStateException if {@code jcmd} does not tell
   */
  long liveHeapKibibytes() {
    String unused = jcmd("GC.run");
    long used = 0;
    Matcher matcher = USED_HEAP.matcher(jcmd("GC.heap_info").split("Metaspace", 2)[0]);
    while (matcher.find()) {
      used += Long.parseLong(matcher.group(1));
    }
    if (used == 0) {
      throw new IllegalStateException("jcmd does not tell the heap in use");
    }
    return used;
  }

  private String jcmd(String command) {
    ProcessBuilder jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(server.pid()),
                command)
            .redirectErrorStream(true);
    try (BufferedReader lines = jcmd.start().inputReader(StandardCharsets.UTF_8)) {
      return lines.readAllAsString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for a condition of the server. */
  static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  @Override
  public void close() throws IOException {
    client.close();
    server.close();
  }
}
