package dev.keelson.bench;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.storage.etcd.EtcdOptions;
import dev.keelson.storage.etcd.EtcdStore;
import dev.keelson.testing.EtcdProcess;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Conditional writes of new keys with 4 KB by {@link EtcdStore}, beside the same transactions
 * through jetcd alone, by virtual threads of this process in turns: the rate, and the processor
 * time of this process for each.
 *
 * <p>{@code -Dkeelson.bench.clients=1,16,64}, {@code -Dkeelson.bench.rounds=5} and {@code
 * -Dkeelson.bench.seconds=2} choose what is measured and how long.
 */
public final class EtcdWritesBench {

  private static final byte[] VALUE = new byte[4096];

  /** One write under a new name. */
  private interface Operation {
    void run(long number) throws Exception;
  }

  private record Rate(double perSecond, double cpuMicros) {}

  private final AtomicLong numbers = new AtomicLong();

  private EtcdWritesBench() {}

  /** Prints the medians. */
  public static void main(String... arguments) throws Exception {
    new EtcdWritesBench().run();
  }

  private void run() throws Exception {
    System.out.println("load before: " + Files.readString(Path.of("/proc/loadavg")).strip());
    int rounds = Integer.getInteger("keelson.bench.rounds", 5);
    try (EtcdProcess etcd = EtcdProcess.create().start();
        StoreLimit raw = StoreLimit.etcd(etcd.endpoint());
        EtcdStore store = EtcdStore.open(EtcdOptions.defaults(List.of(etcd.endpoint())))) {
      long seen = store.revision();
      System.out.println("etcd is at revision " + seen);
      Operation ours = number -> write(store, number);
      Operation jetcd = number -> raw.put("/jetcd/" + number, VALUE, 0);
      for (String text : System.getProperty("keelson.bench.clients", "1,16,64").split(",", -1)) {
        int clients = Integer.parseInt(text);
        List<Rate> of = new ArrayList<>();
        List<Rate> beside = new ArrayList<>();
        measure(ours, clients);
        measure(jetcd, clients);
        for (int i = 0; i < rounds; i++) {
          of.add(measure(ours, clients));
          beside.add(measure(jetcd, clients));
        }
        System.out.printf(
            Locale.ROOT,
            "%2d clients: the store %,6.0f/s, %4.0f us of CPU each; jetcd %,6.0f/s, %4.0f us%n",
            clients,
            median(of.stream().map(Rate::perSecond).toList()),
            median(of.stream().map(Rate::cpuMicros).toList()),
            median(beside.stream().map(Rate::perSecond).toList()),
            median(beside.stream().map(Rate::cpuMicros).toList()));
      }
    }
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  private static void write(EtcdStore store, long number) {
    Bytes key = Bytes.wrap(("/store/" + number).getBytes(StandardCharsets.UTF_8));
    WriteOutcome outcome = store.write(Write.put(key, Bytes.wrap(VALUE), Write.ABSENT));
    if (!(outcome instanceof WriteOutcome.Applied)) {
      throw new IllegalStateException("not written: " + outcome);
    }
  }

  private Rate measure(Operation operation, int clients) throws Exception {
    long length = Integer.getInteger("keelson.bench.seconds", 2) * 1_000_000_000L;
    long begin = System.nanoTime();
    long cpu = processorNanos();
    long count = 0;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Long>> loops = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        loops.add(threads.submit(() -> loop(operation, begin + length)));
      }
      for (Future<Long> each : loops) {
        count += each.get();
      }
    }
    double nanos = System.nanoTime() - begin;
    return new Rate(count / nanos * 1e9, (processorNanos() - cpu) / 1e3 / count);
  }

  private long loop(Operation operation, long end) throws Exception {
    long count = 0;
    while (System.nanoTime() < end) {
      operation.run(numbers.incrementAndGet());
      count++;
    }
    return count;
  }

  private static long processorNanos() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
        .getProcessCpuTime();
  }
}
