package dev.keelson.soak;

import dev.keelson.soak.Chaos.Fault;
import dev.keelson.testing.FaultProxy;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.WallClock;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/**
 * Runs clients under a random schedule of faults: {@code -Dkeelson.chaos=PT1H} for so long, {@code
 * -Dkeelson.chaos.seed} the schedule of a former run.
 */
@Tag("soak")
@Timeout(value = 3, unit = TimeUnit.HOURS)
abstract class ChaosSuite {

  /** How long clients wait for an answer: shorter than many faults last. */
  private static final Duration LIMIT = Duration.ofSeconds(5);

  static final String COMPACTION = "--etcd-compaction-interval=5s";

  /** A server with a network before it and a wall clock of its own. */
  static final class Server implements AutoCloseable {
    private final String name;
    private final Optional<WallClock> clock;
    private final KeelsonProcess process;
    private final FaultProxy network;

    Server(String name, Path directory, List<String> flags) {
      this.name = name;
      clock = WallClock.create(directory.resolve(name + "-clock"));
      process =
          KeelsonProcess.startWith(
              clock.map(WallClock::launcher).orElse(List.of()), directory.resolve(name), flags);
      network = FaultProxy.to(() -> process.address().getPort());
    }

    List<Api> apis() {
      URI address = network.endpoint("https");
      return Servers.apis(process, () -> address, LIMIT);
    }

    List<Fault> faults() {
      List<Fault> faults = new ArrayList<>(ChaosFaults.server(name, process));
      faults.addAll(ChaosFaults.network("network of " + name, network));
      clock.ifPresent(clock -> faults.add(ChaosFaults.clock("clock of " + name, clock)));
      return faults;
    }

    /** Ends the faults that last. */
    void heal() {
      network.delay(Duration.ZERO);
      clock.ifPresent(clock -> clock.shift(Duration.ZERO));
    }

    @Override
    public void close() {
      network.close();
      process.close();
    }
  }

  /**
   * Runs the clients.
   *
   * @param name of the log, in {@code target/chaos}
   * @param store faults of the store
   * @param healStore ends those that last
   */
  static void chaos(String name, List<Server> servers, List<Fault> store, Runnable healStore)
      throws Exception {
    long seed = Long.getLong("keelson.chaos.seed", System.nanoTime());
    System.out.println(name + " with -Dkeelson.chaos.seed=" + seed);
    List<Fault> faults = new ArrayList<>(store);
    servers.forEach(server -> faults.addAll(server.faults()));
    Runnable heal =
        () -> {
          servers.forEach(Server::heal);
          healStore.run();
        };
    new Chaos(name, faults, heal, seed)
        .run(
            new Servers(servers.stream().flatMap(server -> server.apis().stream()).toList()),
            Duration.parse(System.getProperty("keelson.chaos", "PT20S")));
  }
}
