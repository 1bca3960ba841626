package dev.keelson.soak;

import dev.keelson.soak.Api.Away;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A schedule of random faults, which its seed repeats, and the runs of clients under it. The
 * moments at which requests meet the faults are not repeated.
 */
final class Chaos implements SoakRun.Faults {

  /** A kind of fault. */
  record Fault(String name, Action action) {}

  /** The action of a fault; it has ended when the method returns, if it is not one that lasts. */
  interface Action {

    /** Returns the parameters that were chosen, for the log. */
    String run(Random random, Wait wait) throws Exception;
  }

  /** Waits so long, or until the run is over. */
  interface Wait {
    void during(Duration time);
  }

  private static final Duration ROUND = Duration.ofMinutes(1);

  /** How long a client waits between two requests: the faults are to be many, not the requests. */
  private static final Duration PACE = Duration.ofMillis(30);

  private static final int LINES_IN_ERRORS = 30;

  private final Path file;
  private final List<Fault> faults;
  private final Runnable end;
  private final long seed;
  private final Random random;
  private final Deque<String> recent = new ArrayDeque<>();

  /**
   * A schedule.
   *
   * @param name of the file of the log, in {@code target/chaos}
   * @param end ends the faults that last
   */
  Chaos(String name, List<Fault> faults, Runnable end, long seed) {
    this.file = Path.of("target", "chaos", name + ".log");
    this.faults = List.copyOf(faults);
    this.end = end;
    this.seed = seed;
    random = new Random(seed);
  }

  /**
   * Runs clients under faults, in rounds of a minute with names of their own.
   *
   * @throws AssertionError if a round's history is not consistent; with the last faults
   */
  void run(Servers servers, Duration time) throws Exception {
    long rounds = Math.max(1, time.dividedBy(ROUND));
    Duration each = time.dividedBy(rounds);
    for (int round = 0; round < rounds; round++) {
      log("round %d of %d, -Dkeelson.chaos.seed=%d".formatted(round + 1, rounds, seed));
      String prefix = "chaos-" + round + "-";
      try {
        log(new SoakRun(servers, prefix, PACE, seed + round).run(each, this));
      } catch (AssertionError e) {
        throw new AssertionError(
            "with -Dkeelson.chaos.seed=%d, after %s: %s"
                .formatted(seed, String.join("\n", recent), e.getMessage()),
            e);
      }
      deleteObjects(servers, prefix);
    }
  }

  private static void deleteObjects(Servers servers, String prefix) throws InterruptedException {
    for (int i = 0; i < Names.NAMESPACES; i++) {
      try {
        Api.Response unused =
            servers.apis().getFirst().send("DELETE", Api.path(new Names(prefix).namespace(i)), "");
      } catch (Away e) {
        // they stay, which costs the next rounds a little
      }
    }
  }

  @Override
  public int cause(ClientLog log, BooleanSupplier over) throws Exception {
    Wait wait = time -> await(time, over);
    int caused = 0;
    while (!over.getAsBoolean()) {
      wait.during(millis(random, 300, 3000));
      Fault fault = faults.get(random.nextInt(faults.size()));
      log(fault.name + " ...");
      try {
        log(fault.name + " " + fault.action.run(random, wait));
      } catch (Exception e) {
        throw new AssertionError("the fault " + fault.name + " itself failed", e);
      }
      caused++;
    }
    end.run();
    return caused;
  }

  private static void await(Duration time, BooleanSupplier over) {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end && !over.getAsBoolean()) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  /** A random time. */
  static Duration millis(Random random, int least, int most) {
    return Duration.ofMillis(least + random.nextInt(most - least));
  }

  private void log(String what) {
    String line = String.format(Locale.ROOT, "%tT ", System.currentTimeMillis()) + what;
    recent.add(line);
    if (recent.size() > LINES_IN_ERRORS) {
      recent.remove();
    }
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
