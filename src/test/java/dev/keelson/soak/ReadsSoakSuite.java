package dev.keelson.soak;

import dev.keelson.testing.KeelsonProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** Runs the checker; {@code -Dkeelson.soak=PT10M} makes it run for longer than a build has time. */
@Tag("soak")
@Timeout(value = 3, unit = TimeUnit.HOURS)
abstract class ReadsSoakSuite {

  /** How often the server cuts its history: often enough that clients find theirs gone. */
  static final String COMPACTION = "--etcd-compaction-interval=1s";

  private static final String TIME = System.getProperty("keelson.soak", "PT15S");

  /** Number of operations and observations between faults. */
  private static final int STEPS_BETWEEN_FAULTS = 2000;

  /** A fault, which has ended when the method returns. */
  record Fault(String name, Action action) {}

  /** The action of a fault. */
  interface Action {
    void run() throws Exception;
  }

  static void soak(KeelsonProcess server, List<Fault> faults) throws Exception {
    long seed = Long.getLong("keelson.soak.seed", System.nanoTime());
    System.out.println("soak with -Dkeelson.soak.seed=" + seed);
    SoakRun run = new SoakRun(Servers.of(server), "soak-", Duration.ZERO, seed);
    System.out.println(run.run(Duration.parse(TIME), (log, over) -> cause(faults, log, over)));
  }

  private static int cause(List<Fault> faults, ClientLog log, BooleanSupplier over) {
    int caused = 0;
    while (!over.getAsBoolean()) {
      long enough = log.steps() + STEPS_BETWEEN_FAULTS;
      while (log.steps() < enough && !over.getAsBoolean()) {
        SoakRun.pause();
      }
      Fault fault = faults.get(caused++ % faults.size());
      try {
        fault.action.run();
      } catch (Exception e) {
        throw new AssertionError("the fault " + fault.name + " itself failed", e);
      }
    }
    return caused;
  }

  static Fault restart(KeelsonProcess server) {
    return new Fault(
        "restart",
        () -> {
          int unused = server.stop();
          server.start();
        });
  }

  static Fault kill(KeelsonProcess server) {
    return new Fault(
        "kill",
        () -> {
          server.kill();
          server.start();
        });
  }
}
