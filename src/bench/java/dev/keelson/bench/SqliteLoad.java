package dev.keelson.bench;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.ChangeFeed;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.Page;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.storage.sqlite.SqliteOptions;
import dev.keelson.storage.sqlite.SqliteStore;
import dev.keelson.storage.sqlite.Synchronous;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Load on a {@link SqliteStore} alone: what a flush of the disk costs, durable writes, reads, a
 * large range and feeds. Arguments: a directory to work in, and the seconds of each round.
 */
public final class SqliteLoad {

  private static final int VALUE_BYTES = 1024;
  private static final int HOT_KEYS = 100;

  private final Path directory;
  private final Duration round;

  private SqliteLoad(Path directory, Duration round) {
    this.directory = directory;
    this.round = round;
  }

  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    Files.createDirectories(directory);
    Duration round = Duration.ofSeconds(Long.parseLong(arguments[1]));
    SqliteLoad load = new SqliteLoad(directory, round);
    load.flushes();
    for (Synchronous synchronous : List.of(Synchronous.FULL, Synchronous.NORMAL)) {
      for (int clients : new int[] {1, 16, 64}) {
        load.writes(synchronous, clients, Keys.DISTINCT);
        load.writes(synchronous, clients, Keys.HOT);
      }
    }
    load.reads();
  }

  private enum Keys {
    DISTINCT,
    HOT
  }

  private interface Operation {
    void run(int client, long turn) throws Exception;
  }

  /** Runs {@code operation} in a closed loop of so many virtual threads; prints rate and times. */
  private void measure(String name, int clients, Operation operation) throws Exception {
    loop(clients, round.dividedBy(3), operation, new ArrayList<>());
    List<long[]> times = new ArrayList<>();
    long begun = System.nanoTime();
    long cpu = cpuNanos();
    long done = loop(clients, round, operation, times);
    double cpuMicros = (cpuNanos() - cpu) / 1e3;
    double seconds = (System.nanoTime() - begun) / 1e9;
    long[] all = times.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    System.out.printf(
        "%-34s clients=%-3d %,9.0f/s  p50=%.2f ms  p99=%.2f ms  max=%.1f ms  cpu=%.1f us each%n",
        name,
        clients,
        done / seconds,
        all[all.length / 2] / 1e6,
        all[(int) (all.length * 0.99)] / 1e6,
        all[all.length - 1] / 1e6,
        cpuMicros / done);
  }

  /** Of the whole process; says more than the rate does when the machine is shared. */
  private static long cpuNanos() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
  }

  private static long loop(int clients, Duration time, Operation operation, List<long[]> times)
      throws Exception {
    long end = System.nanoTime() + time.toNanos();
    AtomicLong done = new AtomicLong();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<long[]>> futures = new ArrayList<>();
      for (int client = 0; client < clients; client++) {
        int number = client;
        futures.add(
            executor.submit(
                () -> {
                  long[] taken = new long[1 << 16];
                  int turn = 0;
                  long before = System.nanoTime();
                  while (before < end) {
                    operation.run(number, turn);
                    long after = System.nanoTime();
                    if (turn == taken.length) {
                      taken = Arrays.copyOf(taken, turn * 2);
                    }
                    taken[turn++] = after - before;
                    before = after;
                  }
                  done.addAndGet(turn);
                  return Arrays.copyOf(taken, turn);
                }));
      }
      for (Future<long[]> future : futures) {
        long[] taken = future.get();
        times.add(taken);
      }
    }
    return done.get();
  }

  private void flushes() throws IOException {
    Path file = directory.resolve("flush");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(32 << 20));
      channel.force(true);
      for (int size : new int[] {8 << 10, 512 << 10}) {
        long[] taken = new long[300];
        byte[] bytes = new byte[size];
        for (int i = 0; i < taken.length; i++) {
          ThreadLocalRandom.current().nextBytes(bytes);
          channel.write(ByteBuffer.wrap(bytes), (long) size * (i % 32));
          long begun = System.nanoTime();
          channel.force(false);
          taken[i] = System.nanoTime() - begun;
        }
        Arrays.sort(taken);
        System.out.printf(
            "flush after %d KiB: p50=%.3f ms p99=%.3f ms%n",
            size >> 10, taken[150] / 1e6, taken[297] / 1e6);
      }
    }
    Files.delete(file);
  }

  private SqliteStore fresh(SqliteOptions options) throws IOException {
    for (String suffix : List.of("", "-wal", "-shm", ".lock")) {
      Files.deleteIfExists(options.file().resolveSibling(options.file().getFileName() + suffix));
    }
    return SqliteStore.open(options, InstantSource.system());
  }

  private void writes(Synchronous synchronous, int clients, Keys keys) throws Exception {
    SqliteOptions options =
        SqliteOptions.defaults(directory.resolve("load.db")).withSynchronous(synchronous);
    byte[] value = new byte[VALUE_BYTES];
    new Random(1).nextBytes(value);
    AtomicLong number = new AtomicLong();
    try (SqliteStore store = fresh(options)) {
      long[][] revisions = new long[clients][HOT_KEYS];
      measure(
          "write " + synchronous + " " + keys,
          clients,
          (client, turn) -> {
            switch (keys) {
              case DISTINCT ->
                  applied(store.write(put(objectKey(number.incrementAndGet()), value)));
              case HOT -> {
                int key = (int) (turn % HOT_KEYS);
                revisions[client][key] =
                    applied(
                        store.write(
                            Write.put(
                                Bytes.utf8("/registry/hot/" + client + "/" + key),
                                Bytes.wrap(value),
                                revisions[client][key])));
              }
            }
          });
    }
  }

  private static Write put(Bytes key, byte[] value) {
    return Write.put(key, Bytes.wrap(value), Write.ABSENT);
  }

  /** Spread over namespaces, as real keys are. */
  private static Bytes objectKey(long number) {
    long scattered = number * 0x9E3779B97F4A7C15L;
    return Bytes.utf8(
        "/registry/configmaps/namespace-%d/object-%016x".formatted(number % 50, scattered));
  }

  private static long applied(WriteOutcome outcome) {
    if (outcome instanceof WriteOutcome.Applied(long revision)) {
      return revision;
    }
    throw new IllegalStateException("not applied: " + outcome);
  }

  private static final int OBJECTS = 10_000;
  private static final int OBJECT_BYTES = 3 << 10;

  private void reads() throws Exception {
    byte[] value = new byte[OBJECT_BYTES];
    new Random(2).nextBytes(value);
    SqliteOptions options = SqliteOptions.defaults(directory.resolve("load.db"));
    try (SqliteStore store = fresh(options)) {
      AtomicLong number = new AtomicLong();
      List<Bytes> keys = new ArrayList<>();
      for (int i = 0; i < OBJECTS; i++) {
        keys.add(objectKey(i));
      }
      try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int client = 0; client < 64; client++) {
          executor.execute(
              () -> {
                for (long i = number.getAndIncrement(); i < OBJECTS; i = number.getAndIncrement()) {
                  applied(store.write(put(keys.get((int) i), value)));
                }
              });
        }
      }
      for (int clients : new int[] {1, 16, 64}) {
        measure("get", clients, (client, turn) -> get(store, keys));
      }
      try (ExecutorService platform = Executors.newFixedThreadPool(4)) {
        measure(
            "get handed to 4 platform threads",
            64,
            (client, turn) -> platform.submit(() -> get(store, keys)).get());
      }
      measure("range of 10,000 x 3 KiB", 1, (client, turn) -> list(store, 10_000));
      measure("range of 10,000 x 3 KiB by 500", 1, (client, turn) -> list(store, 500));
      mixed(store, keys, value);
      feeds(store, 1);
      feeds(store, 100);
    }
  }

  private static void get(RevisionedStore store, List<Bytes> keys) {
    Bytes key = keys.get(ThreadLocalRandom.current().nextInt(keys.size()));
    if (store.get(key, RevisionedStore.NEWEST).entry() == null) {
      throw new IllegalStateException("missing " + key);
    }
  }

  private static void list(RevisionedStore store, int limit) {
    KeyRange rest = KeyRange.prefix(Bytes.utf8("/registry/configmaps/"));
    long revision = RevisionedStore.NEWEST;
    int found = 0;
    while (true) {
      Page page = store.range(rest, revision, limit);
      found += page.entries().size();
      if (!page.more()) {
        break;
      }
      revision = page.revision();
      rest = rest.startingAfter(page.entries().getLast().key());
    }
    if (found != OBJECTS) {
      throw new IllegalStateException("found " + found);
    }
  }

  /** One client in two writes; the others read. */
  private void mixed(RevisionedStore store, List<Bytes> keys, byte[] value) throws Exception {
    AtomicLong number = new AtomicLong(OBJECTS);
    measure(
        "half get, half write FULL",
        64,
        (client, turn) -> {
          if (client % 2 == 0) {
            get(store, keys);
            // a request waits for its network; a loop that never waits keeps the carriers from
            // those whom another thread wakes, as the writer does
            LockSupport.parkNanos(20_000);
          } else {
            applied(store.write(put(Bytes.utf8("/registry/x/" + number.incrementAndGet()), value)));
          }
        });
  }

  /** Feeds of everything while 64 clients write. */
  private void feeds(RevisionedStore store, int count) throws Exception {
    AtomicLong told = new AtomicLong();
    AtomicLong number = new AtomicLong();
    byte[] value = new byte[VALUE_BYTES];
    String prefix = "/registry/feeds" + count + "/";
    List<ChangeFeed> feeds = new ArrayList<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      long start = store.revision();
      long begun = System.nanoTime();
      List<Future<?>> readers = new ArrayList<>();
      AtomicLong last = new AtomicLong(Long.MAX_VALUE);
      for (int i = 0; i < count; i++) {
        ChangeFeed feed = store.feed(KeyRange.prefix(Bytes.utf8("/registry/")), start);
        feeds.add(feed);
      }
      for (ChangeFeed feed : feeds) {
        readers.add(
            executor.submit(
                () -> {
                  long reached = start;
                  while (reached < last.get()) {
                    ChangeFeed.Batch batch = feed.next(Duration.ofMillis(100));
                    if (batch != null) {
                      told.addAndGet(batch.changes().size());
                      reached = batch.revision();
                    }
                  }
                  return null;
                }));
      }
      long written =
          loop(
              64,
              round,
              (client, turn) ->
                  applied(store.write(put(Bytes.utf8(prefix + number.incrementAndGet()), value))),
              new ArrayList<>());
      last.set(store.revision());
      for (Future<?> reader : readers) {
        reader.get();
      }
      double seconds = (System.nanoTime() - begun) / 1e9;
      Entry ignored = store.get(Bytes.utf8(prefix + 1), RevisionedStore.NEWEST).entry();
      if (ignored == null || told.get() != written * count) {
        throw new IllegalStateException("told " + told + " of " + written * count);
      }
      System.out.printf(
          "%-34s feeds=%-3d  %,9.0f writes/s  %,9.0f changes/s handed out%n",
          "feed while 64 clients write", count, written / seconds, told.get() / seconds);
    } finally {
      feeds.forEach(ChangeFeed::close);
    }
  }
}
