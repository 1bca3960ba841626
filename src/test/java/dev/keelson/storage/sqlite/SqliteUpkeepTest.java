package dev.keelson.storage.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Change;
import dev.keelson.storage.ChangeFeed;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.Page;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The bounds of the file and of its log, compaction, leases and restarts while others work. */
@Timeout(120)
class SqliteUpkeepTest {

  private static final long MIB = 1 << 20;
  private static final KeyRange ALL = KeyRange.prefix(Bytes.utf8("/"));

  private final Path file;
  private final Path wal;
  private final SqliteOptions options;
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));

  SqliteUpkeepTest(@TempDir Path directory) {
    file = directory.resolve("store.db");
    wal = directory.resolve("store.db-wal");
    // none of this is about the loss of power, and flushes make it slow
    options = SqliteOptions.defaults(file).withSynchronous(Synchronous.OFF);
  }

  private SqliteStore open() {
    return open(options);
  }

  private static SqliteStore open(SqliteOptions options) {
    return SqliteStore.open(options, InstantSource.system());
  }

  private static long put(RevisionedStore store, String key, Bytes value, long expected) {
    WriteOutcome outcome = store.write(Write.put(Bytes.utf8(key), value, expected));
    assertThat(outcome).isInstanceOf(WriteOutcome.Applied.class);
    return ((WriteOutcome.Applied) outcome).revision();
  }

  private static @Nullable Entry get(RevisionedStore store, String key) {
    return store.get(Bytes.utf8(key), RevisionedStore.NEWEST).entry();
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(5_000_000);
    }
  }

  private static long size(Path path) {
    try {
      return Files.exists(path) ? Files.size(path) : 0;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private long number(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private static ChangeFeed.Batch next(ChangeFeed feed) throws InterruptedException {
    ChangeFeed.Batch batch = feed.next(Duration.ofSeconds(60));
    if (batch == null) {
      throw new AssertionError("the feed told nothing");
    }
    return batch;
  }

  // ---- the write-ahead log

  @Test
  void longReader_doesNotHoldWritesUp_andTheLogIsCutAfterwards() throws Exception {
    Bytes value = Bytes.wrap(new byte[(int) MIB]);
    try (SqliteStore store = open()) {
      long revision = put(store, "/a", value, Write.ABSENT);
      int slow = 0;
      try (Connection reader = DriverManager.getConnection("jdbc:sqlite:" + file);
          Statement statement = reader.createStatement()) {
        statement.execute("BEGIN");
        try (ResultSet rows = statement.executeQuery("SELECT revision FROM state")) {
          assertThat(rows.next()).isTrue();
        }
        for (int i = 0; i < 100; i++) {
          long begun = System.nanoTime();
          revision = put(store, "/a", value, revision);
          slow += System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(3) ? 1 : 0;
        }
        assertThat(size(wal)).as("the log has grown").isGreaterThan(64 * MIB);
      }

      // the machine may stand still for a while; a reader in the way is there for each write
      assertThat(slow).as("writes of more than 3 s").isLessThan(10);
      AtomicReference<Long> last = new AtomicReference<>(revision);
      await(
          () -> {
            last.set(put(store, "/a", Bytes.EMPTY, last.get()));
            return size(wal) <= 64 * MIB;
          });
      assertThat(size(wal)).isLessThanOrEqualTo(64 * MIB);
    }
  }

  @Test
  void readersWithoutPause_doNotLetTheLogGrow() throws Exception {
    Bytes value = Bytes.wrap(new byte[(int) MIB]);
    AtomicBoolean done = new AtomicBoolean();
    try (SqliteStore store = open();
        ExecutorService executor = Executors.newFixedThreadPool(3)) {
      // short reads: on a busy machine long ones outlast the writer's patience with readers
      Bytes read = Bytes.wrap(new byte[16 * 1024]);
      for (int i = 0; i < 5; i++) {
        put(store, "/0read" + i, read, Write.ABSENT);
      }
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        readers.add(
            executor.submit(
                () -> {
                  while (!done.get()) {
                    assertThat(store.range(ALL, RevisionedStore.NEWEST, 5).count()).isPositive();
                  }
                }));
      }
      long largest = 0;
      long revision = 0;
      for (int i = 0; i < 150; i++) {
        revision = put(store, "/a", value, revision);
        largest = Math.max(largest, size(wal));
      }
      done.set(true);
      for (Future<?> reader : readers) {
        reader.get();
      }

      assertThat(largest).isLessThan(128 * MIB);
    }
  }

  // ---- compaction

  @Test
  void updatesWithAHistoryLimit_keepTheFileSmall() throws Exception {
    Bytes value = Bytes.wrap(new byte[10_000]);
    try (SqliteStore store = open(options.withLimits(500, 0))) {
      long[] revisions = new long[20];
      for (int i = 0; i < 3000; i++) {
        int key = i % revisions.length;
        revisions[key] = put(store, "/k" + key, value, revisions[key]);
      }

      assertThat(size(file)).isLessThan(20 * MIB);
      await(() -> entriesOfLog() < 1200);
    }
  }

  private long entriesOfLog() {
    try {
      return number("SELECT count(*) FROM log");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void compact_afterMuchWasDeleted_givesTheSpaceBack() throws Exception {
    Bytes value = Bytes.wrap(new byte[20_000]);
    try (SqliteStore store = open()) {
      long[] revisions = new long[2000];
      for (int i = 0; i < revisions.length; i++) {
        revisions[i] = put(store, "/k" + i, value, Write.ABSENT);
      }
      for (int i = 0; i < revisions.length; i++) {
        store.write(Write.delete(Bytes.utf8("/k" + i), revisions[i]));
      }

      store.compact(store.revision());

      await(() -> size(file) < 14 * MIB);
      assertThat(number("SELECT count(*) FROM log")).isZero();
      assertThat(number("SELECT count(*) FROM head")).isZero();
      assertThat(store.range(ALL, RevisionedStore.NEWEST, 10).count()).isZero();
    }
  }

  @Test
  void compact_interruptedByARestart_goesOn() throws Exception {
    long last;
    try (SqliteStore store = open()) {
      long revision = 0;
      for (int i = 0; i < 3000; i++) {
        revision = put(store, "/a", Bytes.utf8("v" + i), revision);
      }
      last = revision;
      store.compact(last);
    }

    try (SqliteStore store = open()) {
      await(() -> entriesOfLog() == 1);
      assertThat(get(store, "/a")).extracting(Entry::modRevision).isEqualTo(last);
    }
  }

  @Test
  void compact_underARunningFeed_losesNothing() throws Exception {
    int writers = 4;
    int each = 800;
    try (SqliteStore store = open();
        ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
        ChangeFeed feed = store.feed(ALL, 1)) {
      List<Future<?>> tasks = new ArrayList<>();
      for (int writer = 0; writer < writers; writer++) {
        String key = "/w" + writer;
        tasks.add(
            executor.submit(
                () -> {
                  long revision = 0;
                  for (int i = 0; i < each; i++) {
                    revision = put(store, key, Bytes.utf8("v" + i), revision);
                  }
                }));
      }
      tasks.add(executor.submit(() -> compactUntil(store, (long) writers * each)));

      long reached = 1;
      while (reached < 1 + writers * each) {
        ChangeFeed.Batch batch = next(feed);
        for (Change change : batch.changes()) {
          assertThat(change.revision()).isEqualTo(++reached);
        }
      }
      for (Future<?> task : tasks) {
        task.get();
      }
    }
  }

  private static void compactUntil(SqliteStore store, long last) {
    for (long cut = 1; cut < last; ) {
      long revision = store.revision();
      if (revision > cut) {
        store.compact(revision);
        cut = revision;
      }
      LockSupport.parkNanos(200_000);
    }
  }

  @Test
  void range_inPagesWhileOthersWrite_staysOneState() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    try (SqliteStore store = open();
        ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 300; i++) {
        put(store, "/k%03d".formatted(i), Bytes.utf8("old"), Write.ABSENT);
      }
      long revision = store.revision();
      Future<?> writer =
          executor.submit(
              () -> {
                for (int i = 0; !done.get(); i++) {
                  String key = "/k%03d".formatted(i % 400);
                  Entry entry = get(store, key);
                  put(store, key, Bytes.utf8("new"), entry == null ? 0 : entry.modRevision());
                }
              });

      for (int round = 0; round < 20; round++) {
        List<Entry> found = new ArrayList<>();
        KeyRange rest = ALL;
        Page page;
        do {
          page = store.range(rest, revision, 37);
          assertThat(page.count()).isEqualTo(300 - found.size());
          found.addAll(page.entries());
          rest = rest.startingAfter(found.getLast().key());
        } while (page.more());
        assertThat(found).hasSize(300);
        assertThat(found).allMatch(entry -> entry.value().equals(Bytes.utf8("old")));
      }
      done.set(true);
      writer.get();
    }
  }

  // ---- leases

  @Test
  void lease_thatEndsWhileTheStoreIsClosed_takesItsKeysWhenItOpens() throws Exception {
    long before;
    try (SqliteStore store = SqliteStore.open(options, now::get)) {
      long lease = store.grantLease(Duration.ofSeconds(10));
      store.write(new Write.Put(Bytes.utf8("/a"), Bytes.utf8("1"), Write.ABSENT, lease));
      before = store.revision();
    }
    now.updateAndGet(instant -> instant.plusSeconds(11));

    try (SqliteStore store = SqliteStore.open(options, now::get);
        ChangeFeed feed = store.feed(ALL, before)) {
      ChangeFeed.Batch batch = next(feed);

      assertThat(batch.changes()).hasSize(1).first().isInstanceOf(Change.Delete.class);
      assertThat(get(store, "/a")).isNull();
    }
  }

  @Test
  void lease_thatHasNotEnded_outlivesARestart() throws Exception {
    long lease;
    try (SqliteStore store = SqliteStore.open(options, now::get)) {
      lease = store.grantLease(Duration.ofSeconds(10));
      store.write(new Write.Put(Bytes.utf8("/a"), Bytes.utf8("1"), Write.ABSENT, lease));
    }
    now.updateAndGet(instant -> instant.plusSeconds(9));
    try (SqliteStore store = SqliteStore.open(options, now::get)) {
      store.write(new Write.Put(Bytes.utf8("/b"), Bytes.utf8("1"), Write.ABSENT, lease));
      assertThat(get(store, "/a")).isNotNull();
      assertThat(store.grantLease(Duration.ofDays(1000))).isGreaterThan(lease);

      now.updateAndGet(instant -> instant.plusSeconds(2));

      await(() -> get(store, "/a") == null && get(store, "/b") == null);
    }
  }

  @Test
  void lease_withAnEndlessTime_isTaken() {
    try (SqliteStore store = open()) {
      long lease = store.grantLease(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999));
      store.write(new Write.Put(Bytes.utf8("/a"), Bytes.utf8("1"), Write.ABSENT, lease));
      put(store, "/b", Bytes.EMPTY, Write.ABSENT);

      assertThat(get(store, "/a")).isNotNull();
    }
  }

  // ---- restarts

  @Test
  void restart_underLoad_losesNoAnsweredWrite() throws Exception {
    Map<String, Long> answered = new ConcurrentHashMap<>();
    AtomicReference<SqliteStore> current = new AtomicReference<>(open());
    AtomicBoolean done = new AtomicBoolean();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> writers = new ArrayList<>();
      for (int writer = 0; writer < 16; writer++) {
        String prefix = "/w" + writer + "/";
        writers.add(
            executor.submit(
                () -> {
                  for (int i = 0; !done.get(); i++) {
                    tryPut(current.get(), prefix + i, answered);
                  }
                }));
      }
      long newest = 0;
      for (int round = 0; round < 8; round++) {
        int target = answered.size() + 200;
        await(() -> answered.size() >= target);
        current.get().close();
        SqliteStore next = open();
        assertThat(next.revision()).isGreaterThan(newest);
        newest = next.revision();
        current.set(next);
      }
      done.set(true);
      for (Future<?> writer : writers) {
        writer.get();
      }
    }

    try (SqliteStore store = current.get()) {
      answered.forEach(
          (key, revision) ->
              assertThat(get(store, key))
                  .as(key)
                  .extracting(Entry::modRevision)
                  .isEqualTo(revision));
      assertThat(answered.values()).doesNotHaveDuplicates();
    }
  }

  private static void tryPut(SqliteStore store, String key, Map<String, Long> answered) {
    try {
      answered.put(key, put(store, key, Bytes.utf8(key), Write.ABSENT));
    } catch (StorageException.Closed e) {
      // the store is being replaced; the next turn finds the new one
      LockSupport.parkNanos(200_000);
    }
  }
}
