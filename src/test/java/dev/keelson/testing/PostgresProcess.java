package dev.keelson.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server of the distribution's package, with a data directory of its own on a free
 * port; without a password, for connections of this machine. PostgreSQL does not run as root, so a
 * root user starts it as {@code postgres}.
 *
 * <p>Not thread-safe: one test owns it.
 */
public final class PostgresProcess implements AutoCloseable {

  private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
  private static final long LIMIT_SECONDS = 60;

  private final Path directory;
  private final Path programs;
  private final int port;
  private final List<String> settings;
  private @Nullable Process process;

  private PostgresProcess(Path directory, Path programs, int port, List<String> settings) {
    this.directory = directory;
    this.programs = programs;
    this.port = port;
    this.settings = settings;
  }

  /** Whether the server's programs are installed. */
  public static boolean isInstalled() {
    return programs() != null;
  }

  private static @Nullable Path programs() {
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(DEBIAN)) {
      try (DirectoryStream<Path> versions = Files.newDirectoryStream(DEBIAN)) {
        versions.forEach(version -> found.add(version.resolve("bin")));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    for (String part : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
      found.add(Path.of(part));
    }
    return found.stream()
        .filter(place -> Files.isExecutable(place.resolve("initdb")))
        .findFirst()
        .orElse(null);
  }

  /** Makes a database cluster and starts it. */
  public static PostgresProcess start() {
    PostgresProcess server = make(List.of());
    server.initialize("--auth=trust");
    server.startAgain();
    return server;
  }

  /**
   * The same, which accepts encrypted connections alone, and of these only such as prove by
   * SCRAM-SHA-256 that they know the password.
   */
  public static PostgresProcess startSecured(TestCertificates certificates, String password) {
    PostgresProcess server =
        make(
            List.of(
                "-c",
                "ssl=on",
                "-c",
                "ssl_cert_file=../server.pem",
                "-c",
                "ssl_key_file=../server-key.pem"));
    try {
      server.own(certificates.serverCertificate(), "server.pem");
      server.own(certificates.serverKey(), "server-key.pem");
      Path secret = Files.createTempFile("keelson-password-", "");
      Files.writeString(secret, password);
      Path file = server.own(secret, "password");
      Files.delete(secret);
      server.initialize("--auth=scram-sha-256", "--pwfile=" + file);
      Files.writeString(
          server.directory.resolve("data/pg_hba.conf"),
          "hostssl all all 127.0.0.1/32 scram-sha-256\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.startAgain();
    return server;
  }

  private static PostgresProcess make(List<String> settings) {
    Path programs = programs();
    if (programs == null) {
      throw new IllegalStateException("PostgreSQL is not installed");
    }
    try {
      Path directory = Files.createTempDirectory("keelson-postgres-");
      give(directory);
      return new PostgresProcess(directory, programs, FreePort.find(), settings);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes the account that PostgreSQL runs as the owner. */
  private static void give(Path file) throws IOException {
    if (isRoot()) {
      UserPrincipal owner =
          file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("postgres");
      Path unused = Files.setOwner(file, owner);
    }
  }

  /** A copy that only PostgreSQL's account can read, as it demands of keys. */
  private Path own(Path file, String name) throws IOException {
    Path copy = Files.copy(file, directory.resolve(name));
    Path unused = Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-------"));
    give(copy);
    return copy;
  }

  private void initialize(String... authentication) {
    List<String> arguments =
        new ArrayList<>(
            List.of("-D", data(), "-U", "keelson", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8"));
    arguments.addAll(List.of(authentication));
    run("initdb", arguments.toArray(String[]::new));
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private String data() {
    return directory.resolve("data").toString();
  }

  /** The URL of its database {@code postgres}. */
  public String url() {
    return "postgresql://keelson@127.0.0.1:" + port + "/postgres";
  }

  /** The port on 127.0.0.1. */
  public int port() {
    return port;
  }

  /** Starts it with the same data on the same port. */
  public void startAgain() {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-D",
                data(),
                "-p",
                Integer.toString(port),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=" + directory,
                "-c",
                "fsync=off"));
    arguments.addAll(settings);
    process = launch("postgres", arguments.toArray(String[]::new));
    Eventually.assertEventually(
        () -> {
          try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            if (!socket.isConnected()) {
              throw new AssertionError("not connected");
            }
          } catch (IOException e) {
            throw new AssertionError("PostgreSQL does not listen", e);
          }
        });
  }

  /** All that its database {@code postgres} holds, as SQL text. */
  public String dump() {
    // PostgreSQL's account writes it, below its own directory
    Path file = directory.resolve("dump.sql");
    run("pg_dump", "-d", url(), "-f", file.toString());
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends it at once, as a crash does. */
  public void kill() {
    Process running = process;
    if (running == null) {
      return;
    }
    // "immediate": the server ends without a checkpoint, and recovers when it starts again
    run("pg_ctl", "stop", "-D", data(), "-m", "immediate", "-s");
    await(running);
    process = null;
  }

  private void run(String program, String... arguments) {
    Process started = launch(program, arguments);
    await(started);
    if (started.exitValue() != 0) {
      throw new AssertionError(program + " ended with " + started.exitValue() + "\n" + log());
    }
  }

  private String log() {
    try {
      return Files.readString(directory.resolve("log"));
    } catch (IOException e) {
      return "its log cannot be read: " + e;
    }
  }

  private Process launch(String program, String... arguments) {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(List.of("runuser", "-u", "postgres", "--"));
    }
    command.add(programs.resolve(program).toString());
    command.addAll(List.of(arguments));
    try {
      return new ProcessBuilder(command)
          .directory(directory.toFile())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("log").toFile()))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void await(Process ending) {
    try {
      if (!ending.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError(ending + " does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  @Override
  public void close() {
    kill();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
