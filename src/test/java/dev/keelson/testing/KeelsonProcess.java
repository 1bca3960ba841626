package dev.keelson.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A process of the packaged server, started by {@code bin/keelson} on a data directory and a free
 * port: the JVM build, or with {@code -Dkeelson.native=true} the native executable. {@link #close}
 * stops it; after {@link #stop} or {@link #kill}, {@link #start} restarts it with the same data.
 *
 * <p>Not thread-safe: one test owns it.
 */
public final class KeelsonProcess implements AutoCloseable {

  /**
   * The flag of a server with those controllers alone that kube-apiserver's users cannot do
   * without, for tests that play the other controllers or compare with a kube-apiserver alone.
   */
  public static final String FEW_CONTROLLERS =
      "--controllers=namespace-controller,garbage-collector-controller,resourcequota-controller,"
          + "serviceaccount-controller,root-ca-certificate-publisher-controller,"
          + "persistentvolumeclaim-protection-controller";

  private static final Duration START_LIMIT = Duration.ofMinutes(3);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(90);
  private static final Pattern ADDRESS = Pattern.compile("https://[^\\s,/]+:\\d+");

  /**
   * Most servers of the suite live for seconds: the second compiler would double their CPU time.
   */
  static final String OPTIONS = "-Xmx512m -XX:TieredStopAtLevel=1";

  /** Number of log lines in an error message. */
  private static final int LINES_IN_ERRORS = 60;

  private final Path dataDirectory;
  private final List<String> flags;
  private final List<String> log = new ArrayList<>();
  private @Nullable Process process;
  private volatile @Nullable URI address;
  private Duration startTime = Duration.ZERO;

  private final String options;

  /** A program that starts the server, with its arguments; mostly none. */
  private final List<String> launcher;

  private KeelsonProcess(
      List<String> launcher, Path dataDirectory, List<String> flags, String options) {
    this.launcher = List.copyOf(launcher);
    this.dataDirectory = dataDirectory;
    this.flags = List.copyOf(flags);
    this.options = options;
  }

  /**
   * Starts a server and waits for the ready line.
   *
   * @param dataDirectory the data directory
   * @param flags additional flags
   * @throws AssertionError if it terminates or is not ready within three minutes; the message has
   *     its log
   */
  public static KeelsonProcess start(Path dataDirectory, List<String> flags) {
    return startWith(List.of(), dataDirectory, flags);
  }

  /**
   * The same by another program.
   *
   * @param launcher the program and its arguments; the command of the server follows, which it
   *     executes in its place
   */
  public static KeelsonProcess startWith(
      List<String> launcher, Path dataDirectory, List<String> flags) {
    return start(
        launcher, dataDirectory, flags, System.getProperty("keelson.java.options", OPTIONS));
  }

  /** The same with a heap of so many MiB. */
  public static KeelsonProcess startWithHeap(Path dataDirectory, int mebibytes) {
    String heap = "-Xmx" + mebibytes + "m";
    return start(
        List.of(),
        dataDirectory,
        isNative() ? List.of(heap) : List.of(),
        heap + " -XX:TieredStopAtLevel=1");
  }

  private static KeelsonProcess start(
      List<String> launcher, Path dataDirectory, List<String> flags, String options) {
    KeelsonProcess server = new KeelsonProcess(launcher, dataDirectory, flags, options);
    server.start();
    return server;
  }

  /** The JVM options that log which classes are loaded; an AOT cache loads its own before. */
  public static String loggingClasses(Path file) {
    return "-XX:AOTMode=off -Xlog:class+load:file=" + file;
  }

  /** Whether the tests run against the native executable. */
  public static boolean isNative() {
    return Boolean.getBoolean("keelson.native");
  }

  /** Restarts the server with the same data on a new port. */
  public void start() {
    if (process != null && process.isAlive()) {
      throw new IllegalStateException("the server runs already: " + process);
    }
    long begin = System.nanoTime();
    CompletableFuture<URI> ready = new CompletableFuture<>();
    Process started = launch();
    process = started;
    // a platform thread: reading a pipe pins the carrier of a virtual one
    Thread.ofPlatform().daemon().name("keelson-log").start(() -> readLog(started, ready));
    try {
      address = ready.get(START_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      close();
      throw new AssertionError("the server ended before it was ready\n" + recentLog(), e);
    } catch (TimeoutException e) {
      String threads = threads(started);
      close();
      throw new AssertionError(
          "not ready within " + START_LIMIT + "\n" + recentLog() + "\n" + threads, e);
    } catch (InterruptedException e) {
      close();
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while the server started", e);
    }
    startTime = Duration.ofNanos(System.nanoTime() - begin);
  }

  /** A thread dump of a hanging server, for the failure message. */
  private static String threads(Process hanging) {
    if (isNative()) {
      return "";
    }
    ProcessBuilder jstack =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jstack").toString(),
                "-l",
                Long.toString(hanging.pid()))
            .redirectErrorStream(true);
    try (BufferedReader lines = jstack.start().inputReader(StandardCharsets.UTF_8)) {
      return lines.readAllAsString();
    } catch (IOException e) {
      return "its threads cannot be shown: " + e;
    }
  }

  private Process launch() {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--data-dir", dataDirectory.toString()));
    arguments.addAll(List.of("--secure-port", "0"));
    arguments.addAll(flags);
    return launch(launcher, arguments, options);
  }

  /**
   * Starts {@code bin/keelson}, with its standard error in its output.
   *
   * @param launcher the program that starts it, with its arguments; empty for none
   */
  static Process launch(List<String> launcher, List<String> arguments, String options) {
    List<String> command = new ArrayList<>(launcher);
    command.add(Path.of("bin", "keelson").toAbsolutePath().toString());
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    // Settings in the environment of the test run must not reach the server.
    builder.environment().keySet().removeIf(name -> name.startsWith("KEELSON_"));
    builder.environment().put("KEELSON_RUNTIME", isNative() ? "native" : "jvm");
    builder.environment().put("KEELSON_JAVA_OPTS", options);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + command, e);
    }
  }

  /** Reads the log, so that the server never blocks on its output. */
  private void readLog(Process started, CompletableFuture<URI> ready) {
    try (BufferedReader lines = started.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        synchronized (log) {
          log.add(line);
        }
        Matcher found = ADDRESS.matcher(line);
        if (line.contains("kubeconfig") && found.find()) {
          ready.complete(URI.create(found.group()));
        }
      }
      ready.completeExceptionally(new IOException("end of log"));
    } catch (IOException e) {
      ready.completeExceptionally(e);
    }
  }

  /** The URL of the server, such as {@code https://127.0.0.1:40321}. */
  public URI address() {
    if (address == null) {
      throw new IllegalStateException("the server has not been started");
    }
    return address;
  }

  /** The file of the administrator's kubeconfig. */
  public Path kubeconfigFile() {
    return dataDirectory.resolve("admin.kubeconfig");
  }

  /** The parsed kubeconfig of the administrator. */
  public Kubeconfig kubeconfig() {
    return Kubeconfig.read(kubeconfigFile());
  }

  /** The data directory. */
  public Path dataDirectory() {
    return dataDirectory;
  }

  /** The time from the start of the process to the ready line. */
  public Duration startTime() {
    return startTime;
  }

  /** The processor time that the server has used since its start. */
  public Duration cpuTime() {
    return running()
        .info()
        .totalCpuDuration()
        .orElseThrow(() -> new IllegalStateException("the system does not tell processor times"));
  }

  /** The id of the process. */
  public long pid() {
    return running().pid();
  }

  /** Resident memory in KiB as Linux counts it. */
  public long residentKibibytes() {
    return status("VmRSS:");
  }

  /** The number of its threads of the operating system. */
  public long threads() {
    return status("Threads:");
  }

  private long status(String field) {
    Path status = Path.of("/proc", Long.toString(pid()), "status");
    try {
      return Files.readAllLines(status).stream()
          .filter(line -> line.startsWith(field))
          .map(line -> line.replaceAll("\\D", ""))
          .mapToLong(Long::parseLong)
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("no " + field + " in " + status));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The log of all starts. */
  public String log() {
    synchronized (log) {
      return String.join("\n", log);
    }
  }

  private String recentLog() {
    synchronized (log) {
      return String.join("\n", log.subList(Math.max(0, log.size() - LINES_IN_ERRORS), log.size()));
    }
  }

  /**
   * Stops the server with SIGTERM and waits.
   *
   * @return its exit code
   * @throws AssertionError when it takes longer than 30 s
   */
  public int stop() {
    running().destroy();
    return awaitEnd();
  }

  /** Sends SIGHUP, by which log rotation asks for files to be opened again. */
  public void hangUp() {
    Signals.hangUp(pid());
  }

  /** Stops the server's execution until {@link #resume}; its connections stay open. */
  public void pause() {
    Signals.pause(pid());
  }

  /** Ends {@link #pause}. */
  public void resume() {
    Signals.resume(pid());
  }

  /** Kills the server, as in a power failure. */
  public void kill() {
    running().destroyForcibly();
    awaitEnd();
  }

  /**
   * Waits for a server that ends by itself.
   *
   * @return its exit code
   * @throws AssertionError when it takes longer than 90 s
   */
  public int awaitEnd() {
    Process ending = running();
    try {
      if (!ending.waitFor(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        ending.destroyForcibly();
        throw new AssertionError("still running after " + STOP_LIMIT + "\n" + recentLog());
      }
      return ending.exitValue();
    } catch (InterruptedException e) {
      ending.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while the server stopped", e);
    }
  }

  private Process running() {
    if (process == null) {
      throw new IllegalStateException("the server has not been started");
    }
    return process;
  }

  @Override
  public void close() {
    if (process == null || !process.isAlive()) {
      return;
    }
    if (Boolean.getBoolean("keelson.coverage")) {
      // the coverage agent writes its file when the JVM shuts down
      int unused = stop();
    } else {
      kill();
    }
  }
}
