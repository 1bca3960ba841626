package dev.keelson.soak;

import dev.keelson.soak.Chaos.Fault;
import dev.keelson.testing.EtcdProcess;
import dev.keelson.testing.FaultProxy;
import dev.keelson.testing.FaultProxy.Way;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.WallClock;
import java.time.Duration;
import java.util.List;

/** The kinds of faults of {@link Chaos}. */
final class ChaosFaults {

  private ChaosFaults() {}

  /**
   * Of a network. A delay lasts until the next one.
   *
   * @param name whose
   */
  static List<Fault> network(String name, FaultProxy proxy) {
    return List.of(
        new Fault(
            name + " cut",
            (random, wait) -> {
              proxy.cut();
              return "";
            }),
        new Fault(
            name + " slow",
            (random, wait) -> {
              Duration delay = Duration.ofMillis(random.nextInt(3) * 60L);
              proxy.delay(delay);
              return delay.toString();
            }),
        held(name + " without answers", proxy, Way.TO_CLIENT),
        held(name + " without requests", proxy, Way.TO_SERVER),
        new Fault(
            name + " stalled",
            (random, wait) -> {
              Duration time = Chaos.millis(random, 500, 6000);
              proxy.stall();
              wait.during(time);
              proxy.cut();
              return time.toString();
            }),
        new Fault(
            name + " refused",
            (random, wait) -> {
              Duration time = Chaos.millis(random, 200, 3000);
              proxy.refuse();
              wait.during(time);
              proxy.admit();
              return time.toString();
            }));
  }

  /** What is held is lost or arrives late. */
  private static Fault held(String name, FaultProxy proxy, Way way) {
    return new Fault(
        name,
        (random, wait) -> {
          Duration time = Chaos.millis(random, 200, 7000);
          boolean lost = random.nextBoolean();
          proxy.hold(way);
          wait.during(time);
          if (lost) {
            proxy.cut();
          }
          proxy.release();
          return time + (lost ? ", lost" : ", late");
        });
  }

  /** Of a server's process. */
  static List<Fault> server(String name, KeelsonProcess server) {
    return List.of(
        new Fault(
            name + " killed",
            (random, wait) -> {
              server.kill();
              server.start();
              return "";
            }),
        new Fault(
            name + " restarted",
            (random, wait) -> {
              int unused = server.stop();
              server.start();
              return "";
            }),
        new Fault(
            name + " paused",
            (random, wait) -> {
              Duration time = Chaos.millis(random, 200, 8000);
              server.pause();
              wait.during(time);
              server.resume();
              return time.toString();
            }));
  }

  /** Of a server's wall clock: from four minutes behind to an hour ahead, until the next one. */
  static Fault clock(String name, WallClock clock) {
    return new Fault(
        name + " set",
        (random, wait) -> {
          Duration offset =
              random.nextInt(3) == 0
                  ? Duration.ZERO
                  : Duration.ofSeconds(random.nextInt(3600 + 240) - 240L);
          clock.shift(offset);
          return offset.toString();
        });
  }

  /** Of etcd. */
  static List<Fault> etcd(EtcdProcess etcd) {
    return List.of(
        new Fault(
            "etcd killed",
            (random, wait) -> {
              etcd.kill();
              wait.during(Chaos.millis(random, 0, 2000));
              etcd.start();
              return "";
            }),
        new Fault(
            "etcd restarted",
            (random, wait) -> {
              etcd.stop();
              etcd.start();
              return "";
            }),
        new Fault(
            "etcd paused",
            (random, wait) -> {
              Duration time = Chaos.millis(random, 200, 9000);
              etcd.pause();
              wait.during(time);
              etcd.resume();
              return time.toString();
            }),
        new Fault(
            "etcd compacted",
            (random, wait) -> {
              etcd.compact();
              return "";
            }),
        new Fault(
            "etcd defragmented",
            (random, wait) -> {
              etcd.defragment();
              return "";
            }));
  }
}
