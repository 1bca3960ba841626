package dev.keelson.storage.sqlite;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A process that works on a store, for tests that need another one. It prints a line for each
 * answer that it gets, and nothing before the answer.
 */
final class SqliteChild {

  /** What the process does. */
  enum Job {
    /** Opens the store and closes it. */
    OPEN,
    /** Writes with several threads until it is killed. */
    WRITE,
    /** Writes until some writes have failed, then closes the store. */
    FILL
  }

  private static final int THREADS = 8;
  private static final int KEYS = 6;
  private static final int FAILURES = 5;

  private SqliteChild() {}

  /**
   * Starts one.
   *
   * @param first a number from which the process counts its values
   * @param prefix a command that runs the one appended to it
   */
  static Process start(Job job, Path file, long first, String... prefix) throws IOException {
    List<String> command = new ArrayList<>(List.of(prefix));
    command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
    command.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.util.logging.manager=org.jboss.logmanager.LogManager"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(
        List.of(SqliteChild.class.getName(), job.name(), file.toString(), Long.toString(first)));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** An answer that the process got. */
  sealed interface Line {
    /** A key has this value now; null if it was deleted. */
    record Answered(long revision, String key, @Nullable String value) implements Line {}

    /** The history has been cut. */
    record Compacted(long revision) implements Line {}

    /** The store could be opened. */
    record Opened(long revision) implements Line {}

    /** A call failed. */
    record Failed(String kind, String message) implements Line {}

    /** Reads a line; null if it is not whole. */
    static @Nullable Line parse(String text) {
      if (!text.endsWith(".")) {
        return null;
      }
      String[] parts = text.substring(0, text.length() - 1).split(" ", 4);
      return switch (parts[0]) {
        case "put" -> new Answered(Long.parseLong(parts[1]), parts[2], parts[3]);
        case "delete" -> new Answered(Long.parseLong(parts[1]), parts[2], null);
        case "compact" -> new Compacted(Long.parseLong(parts[1]));
        case "open" -> new Opened(Long.parseLong(parts[1]));
        default -> new Failed(parts[1], text);
      };
    }
  }

  /** The value with a number; its length follows from the number. */
  static String value(String label) {
    return label + "x".repeat(label.hashCode() & 0x7ff);
  }

  public static void main(String[] arguments) throws Exception {
    Path file = Path.of(arguments[1]);
    long first = Long.parseLong(arguments[2]);
    PrintStream out = System.out;
    try (SqliteStore store =
        SqliteStore.open(SqliteOptions.defaults(file), InstantSource.system())) {
      say(out, "open " + store.revision());
      switch (Job.valueOf(arguments[0])) {
        case OPEN -> {}
        case WRITE -> write(store, first, out);
        case FILL -> fill(store, first, out);
      }
    } catch (StorageException e) {
      fail(out, e);
    }
  }

  private static void say(PrintStream out, String line) {
    synchronized (out) {
      out.print(line + ".\n");
      out.flush();
    }
  }

  private static void fail(PrintStream out, StorageException e) {
    say(
        out,
        "fail "
            + e.getClass().getSimpleName()
            + " "
            + String.valueOf(e.getMessage()).replace('\n', ' '));
  }

  private static void write(SqliteStore store, long first, PrintStream out) throws Exception {
    AtomicLong number = new AtomicLong(first);
    List<Thread> threads = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      String prefix = "/child/" + thread + "/";
      Random random = new Random(first + thread);
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    while (true) {
                      String key = prefix + random.nextInt(KEYS);
                      change(store, key, number.incrementAndGet(), random.nextInt(4) == 0, out);
                    }
                  }));
    }
    long cut = 0;
    while (true) {
      long revision = store.revision() - 1000;
      if (revision > cut + 300) {
        store.compact(revision);
        cut = revision;
        say(out, "compact " + revision);
      }
      threads.getFirst().join(java.time.Duration.ofMillis(20));
    }
  }

  private static void change(
      RevisionedStore store, String key, long number, boolean delete, PrintStream out) {
    Bytes name = Bytes.utf8(key);
    Entry old = store.get(name, RevisionedStore.NEWEST).entry();
    if (old != null && delete) {
      long revision = applied(store.write(Write.delete(name, old.modRevision())));
      say(out, "delete " + revision + " " + key);
    } else {
      String label = "v" + number + "-";
      long expected = old == null ? Write.ABSENT : old.modRevision();
      long revision = applied(store.write(Write.put(name, Bytes.utf8(value(label)), expected)));
      say(out, "put " + revision + " " + key + " " + label);
    }
  }

  private static long applied(WriteOutcome outcome) {
    if (outcome instanceof WriteOutcome.Applied(long revision)) {
      return revision;
    }
    throw new IllegalStateException("not applied: " + outcome);
  }

  private static void fill(RevisionedStore store, long first, PrintStream out) {
    int failures = 0;
    for (long number = first; failures < FAILURES; number++) {
      try {
        change(store, "/child/fill/" + number, number, false, out);
      } catch (StorageException e) {
        fail(out, e);
        failures++;
      }
    }
  }
}
