package dev.keelson.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An etcd process on free ports, alone or a member of a cluster ({@link #cluster}), with its data
 * in a new temporary directory. {@link #close} stops it and deletes the data; after {@link #stop}
 * or {@link #kill}, {@link #start} restarts it with the same data and ports.
 *
 * <p>Not thread-safe: one test owns it.
 */
public final class EtcdProcess implements AutoCloseable {

  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final Duration STOP_LIMIT = Duration.ofMinutes(1);

  /** Logged by all versions when the member is ready to serve clients. */
  private static final String READY = "ready to serve client requests";

  private static final Pattern REVISION = Pattern.compile("\"revision\":\"(\\d+)\"");
  private static final int LINES_IN_ERRORS = 40;
  private static final int ATTEMPTS = 3;

  private final Path directory;
  private final @Nullable TestCertificates certificates;
  private final String name;
  private final List<String> options;

  /** The members of its cluster, this one included. */
  private List<EtcdProcess> members = List.of(this);

  private int clientPort = FreePort.find();
  private int peerPort = FreePort.find();
  private int metricsPort = FreePort.find();

  /** Whether it has served clients, which then know its ports. */
  private boolean known;

  private final Deque<String> log = new ArrayDeque<>();
  private @Nullable Process process;

  private EtcdProcess(String name, @Nullable TestCertificates certificates, List<String> options) {
    this.directory = newDirectory();
    this.name = name;
    this.certificates = certificates;
    this.options = List.copyOf(options);
  }

  /** Creates an etcd without TLS, not started. */
  public static EtcdProcess create() {
    return create(List.of());
  }

  /**
   * Creates an etcd without TLS, not started.
   *
   * @param options further arguments
   */
  public static EtcdProcess create(List<String> options) {
    return new EtcdProcess("test", null, options);
  }

  /** Creates the members of a cluster, which must be started at the same time. */
  public static List<EtcdProcess> cluster(int size) {
    List<EtcdProcess> members =
        IntStream.range(0, size)
            .mapToObj(i -> new EtcdProcess("test-" + i, null, List.of()))
            .toList();
    for (EtcdProcess member : members) {
      member.members = members;
      // the others know its ports
      member.known = true;
    }
    return members;
  }

  /** Whether it leads its cluster, as it says itself. */
  public boolean leads() {
    return metric("etcd_server_is_leader") == 1;
  }

  private String peer() {
    return "http://127.0.0.1:" + peerPort;
  }

  /** Creates an etcd that requires client certificates, not started. */
  public static EtcdProcess create(TestCertificates certificates) {
    return new EtcdProcess("test", certificates, List.of());
  }

  private static Path newDirectory() {
    try {
      return Files.createTempDirectory("keelson-etcd-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts etcd and waits until it serves clients.
   *
   * @return this
   * @throws AssertionError if it terminates or is not ready within two minutes; the message has the
   *     end of its log
   */
  public EtcdProcess start() {
    if (process != null && process.isAlive()) {
      throw new IllegalStateException("etcd runs already: " + process);
    }
    for (int attempt = 1; !serves(attempt); attempt++) {
      // the port was taken in the meantime
      clientPort = FreePort.find();
      peerPort = FreePort.find();
      metricsPort = FreePort.find();
    }
    known = true;
    return this;
  }

  /** Waits until it is ready; false if it must be retried on other ports. */
  private boolean serves(int attempt) {
    CompletableFuture<Void> ready = new CompletableFuture<>();
    Process started = launch();
    process = started;
    // a platform thread: reading a pipe pins the carrier of a virtual one
    Thread.ofPlatform().daemon().name("etcd-log").start(() -> readLog(started, ready));
    try {
      ready.get(START_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (ExecutionException | TimeoutException e) {
      started.destroyForcibly();
      if (!known && attempt < ATTEMPTS && recentLog().contains("address already in use")) {
        return false;
      }
      throw new AssertionError("etcd does not serve\n" + recentLog(), e);
    } catch (InterruptedException e) {
      started.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while etcd started", e);
    }
  }

  private Process launch() {
    String peer = peer();
    List<String> command = new ArrayList<>(List.of("etcd", "--name", name));
    command.addAll(options);
    command.addAll(List.of("--data-dir", directory.resolve("data").toString()));
    command.addAll(List.of("--listen-client-urls", endpoint().toString()));
    command.addAll(List.of("--advertise-client-urls", endpoint().toString()));
    command.addAll(List.of("--listen-peer-urls", peer));
    command.addAll(List.of("--initial-advertise-peer-urls", peer));
    command.addAll(
        List.of(
            "--initial-cluster",
            members.stream()
                .map(member -> member.name + "=" + member.peer())
                .collect(Collectors.joining(","))));
    command.addAll(List.of("--listen-metrics-urls", "http://127.0.0.1:" + metricsPort));
    if (certificates != null) {
      command.addAll(List.of("--cert-file", certificates.serverCertificate().toString()));
      command.addAll(List.of("--key-file", certificates.serverKey().toString()));
      command.addAll(List.of("--trusted-ca-file", certificates.authority().toString()));
      command.add("--client-cert-auth");
    }
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("ETCD_"));
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + command, e);
    }
  }

  private void readLog(Process started, CompletableFuture<Void> ready) {
    try (BufferedReader lines = started.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        synchronized (log) {
          log.add(line);
          if (log.size() > LINES_IN_ERRORS) {
            log.remove();
          }
        }
        if (line.contains(READY)) {
          ready.complete(null);
        }
      }
      ready.completeExceptionally(new IOException("end of log"));
    } catch (IOException e) {
      ready.completeExceptionally(e);
    }
  }

  private String recentLog() {
    synchronized (log) {
      return String.join("\n", log);
    }
  }

  /** Copies the data, as a backup does; to be called while it does not run. */
  public void backUp(Path to) {
    copy(directory.resolve("data"), to);
  }

  /** Replaces the data by those of {@link #backUp}; to be called while it does not run. */
  public void restore(Path from) {
    delete(directory.resolve("data"));
    copy(from, directory.resolve("data"));
  }

  private static void copy(Path from, Path to) {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path tree) {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The client URL; the same after restarts. */
  public URI endpoint() {
    return URI.create((certificates == null ? "http" : "https") + "://127.0.0.1:" + clientPort);
  }

  public int clientPort() {
    return clientPort;
  }

  /** The value of the metric {@code name}, which has no labels. */
  public double metric(String name) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + metricsPort + "/metrics")).build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(request, HttpResponse.BodyHandlers.ofString())
          .body()
          .lines()
          .filter(line -> line.startsWith(name + " "))
          .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
          .findFirst()
          .orElseThrow(() -> new AssertionError("etcd has no metric " + name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while etcd was asked", e);
    }
  }

  /** Terminates it and waits. */
  public void stop() {
    running().destroy();
    awaitEnd();
  }

  /** Kills it, as in a power failure. */
  public void kill() {
    running().destroyForcibly();
    awaitEnd();
  }

  /** Stops its execution until {@link #resume}; its connections stay open. */
  public void pause() {
    Signals.pause(running().pid());
  }

  /** Ends {@link #pause}. */
  public void resume() {
    Signals.resume(running().pid());
  }

  /** Drops the history before the newest revision. */
  public void compact() {
    String newest = call("/v3/kv/range", "{\"key\":\"AA==\"}");
    Matcher revision = REVISION.matcher(newest);
    if (!revision.find()) {
      throw new AssertionError("etcd answered without a revision: " + newest);
    }
    String unused =
        call("/v3/kv/compaction", "{\"revision\":\"" + revision.group(1) + "\",\"physical\":true}");
  }

  /** Rewrites its file without the space of what was deleted. It serves no requests meanwhile. */
  public void defragment() {
    String unused = call("/v3/maintenance/defragment", "{}");
  }

  /** A call of the gateway for JSON. */
  private String call(String path, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(endpoint().resolve(path))
            .timeout(STOP_LIMIT)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200 && !answer.body().contains("has been compacted")) {
        throw new AssertionError(path + " was answered with " + answer.body());
      }
      return answer.body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while etcd was asked", e);
    }
  }

  /** The processor time that it has used since it was started. */
  public Duration cpuTime() {
    return running()
        .info()
        .totalCpuDuration()
        .orElseThrow(() -> new IllegalStateException("the system does not tell processor times"));
  }

  private Process running() {
    if (process == null) {
      throw new IllegalStateException("etcd has not been started");
    }
    return process;
  }

  private void awaitEnd() {
    Process ending = running();
    try {
      if (!ending.waitFor(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        ending.destroyForcibly();
        throw new AssertionError("still running after " + STOP_LIMIT + "\n" + recentLog());
      }
    } catch (InterruptedException e) {
      ending.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while etcd ended", e);
    }
  }

  @Override
  public void close() {
    if (process != null && process.isAlive()) {
      kill();
    }
    delete(directory);
  }
}
