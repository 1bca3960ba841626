package dev.keelson.soak;

import dev.keelson.testing.KeelsonProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** Runs the checker; {@code -Dkeelson.soak=PT10M} makes it run for longer than a build has time. */
@Tag("soak")
@Timeout(value = 3, unit = TimeUnit.HOURS)
abstract class ReadsSoakSuite {

  /** How often the server cuts its history: often enough that clients find theirs gone. */
  static final String COMPACTION = "--etcd-compaction-interval=1s";

  private static final String TIME = System.getProperty("keelson.soak", "PT15S");

  static void soak(KeelsonProcess server, List<ReadsSoak.Fault> faults) throws Exception {
    long seed = Long.getLong("keelson.soak.seed", System.nanoTime());
    System.out.println("soak with -Dkeelson.soak.seed=" + seed);
    System.out.println(new ReadsSoak(server, faults, seed).run(Duration.parse(TIME)));
  }

  static ReadsSoak.Fault restart(KeelsonProcess server) {
    return new ReadsSoak.Fault(
        "restart",
        () -> {
          int unused = server.stop();
          server.start();
        });
  }

  static ReadsSoak.Fault kill(KeelsonProcess server) {
    return new ReadsSoak.Fault(
        "kill",
        () -> {
          server.kill();
          server.start();
        });
  }
}
