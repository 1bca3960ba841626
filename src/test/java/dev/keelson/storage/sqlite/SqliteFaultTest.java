package dev.keelson.storage.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Troubles that a store can have with its file and its callers. */
@Timeout(120)
class SqliteFaultTest {

  private final Path directory;
  private final Path file;
  private final SqliteOptions options;

  SqliteFaultTest(@TempDir Path directory) {
    this.directory = directory;
    file = directory.resolve("store.db");
    options = SqliteOptions.defaults(file);
  }

  private SqliteStore open() {
    return open(options);
  }

  private static SqliteStore open(SqliteOptions options) {
    return SqliteStore.open(options, InstantSource.system());
  }

  private static Write put(String key, String value, long expected) {
    return Write.put(Bytes.utf8(key), Bytes.utf8(value), expected);
  }

  private static long applied(WriteOutcome outcome) {
    assertThat(outcome).isInstanceOf(WriteOutcome.Applied.class);
    return ((WriteOutcome.Applied) outcome).revision();
  }

  private static boolean exists(RevisionedStore store, String key) {
    return store.get(Bytes.utf8(key), RevisionedStore.NEWEST).entry() != null;
  }

  /** Works on the file behind the store's back. */
  private void sql(String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** Keeps the writer from beginning a transaction for as long as it is open. */
  private final class Obstacle implements AutoCloseable {
    private final Connection connection;

    Obstacle() throws SQLException {
      connection = DriverManager.getConnection("jdbc:sqlite:" + file);
      try (Statement statement = connection.createStatement()) {
        statement.execute("BEGIN IMMEDIATE");
      }
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }

  private static final class Call extends FutureTask<WriteOutcome> {
    private final Thread thread;
    private volatile boolean interruptedAfterwards;

    Call(RevisionedStore store, Write write) {
      super(() -> store.write(write));
      thread =
          Thread.ofPlatform()
              .start(
                  () -> {
                    run();
                    interruptedAfterwards = Thread.currentThread().isInterrupted();
                  });
    }

    void awaitWaiting() {
      await(() -> thread.getState() == Thread.State.TIMED_WAITING);
    }
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** Waits until the writer tries to begin the transaction of a write. */
  private static void awaitBegun() {
    await(
        () ->
            Thread.getAllStackTraces().entrySet().stream()
                .filter(entry -> entry.getKey().getName().equals("sqlite-writer"))
                .map(entry -> Arrays.stream(entry.getValue()).map(Object::toString).toList())
                .anyMatch(
                    frames ->
                        isIn(frames, WriteSession.class, "begin")
                            && isIn(frames, Writer.class, "commit")));
  }

  private static boolean isIn(List<String> frames, Class<?> type, String method) {
    String call = type.getName() + "." + method + "(";
    return frames.stream().anyMatch(frame -> frame.contains(call));
  }

  // ---- callers

  @Test
  void caller_interruptedAfterTheWriteWasBegun_getsTheAnswerAndStaysInterrupted() throws Exception {
    try (SqliteStore store = open()) {
      Call call;
      try (Obstacle obstacle = new Obstacle()) {
        call = new Call(store, put("a", "1", Write.ABSENT));
        awaitBegun();
        call.thread.interrupt();
        assertThat(obstacle.connection.isClosed()).isFalse();
      }

      assertThat(call.get()).isInstanceOf(WriteOutcome.Applied.class);
      call.thread.join();
      assertThat(call.interruptedAfterwards).isTrue();
      assertThat(exists(store, "a")).isTrue();
    }
  }

  @Test
  void caller_interruptedBeforeTheWriteWasBegun_isToldSoAndNothingIsWritten() throws Exception {
    try (SqliteStore store = open()) {
      Call first;
      Call second;
      try (Obstacle obstacle = new Obstacle()) {
        first = new Call(store, put("a", "1", Write.ABSENT));
        awaitBegun();
        second = new Call(store, put("b", "1", Write.ABSENT));
        second.awaitWaiting();
        second.thread.interrupt();
        assertThatThrownBy(second::get).hasCauseInstanceOf(StorageException.Unavailable.class);
        assertThat(obstacle.connection.isClosed()).isFalse();
      }

      assertThat(first.get()).isInstanceOf(WriteOutcome.Applied.class);
      second.thread.join();
      assertThat(second.interruptedAfterwards).isTrue();
      applied(store.write(put("c", "1", Write.ABSENT)));
      assertThat(exists(store, "b")).isFalse();
    }
  }

  @Test
  void write_thatCannotBegin_endsWithinTheDeadlineAndTheStoreRecovers() throws Exception {
    try (SqliteStore store = open(options.withDeadline(Duration.ofMillis(300)))) {
      try (Obstacle obstacle = new Obstacle()) {
        Call first = new Call(store, put("a", "1", Write.ABSENT));
        awaitBegun();
        Call second = new Call(store, put("b", "1", Write.ABSENT));
        for (Call call : List.of(first, second)) {
          assertThatThrownBy(() -> call.get(60, TimeUnit.SECONDS))
              .cause()
              .isInstanceOfAny(
                  StorageException.Unavailable.class, StorageException.UnknownOutcome.class);
        }
        assertThat(obstacle.connection.isClosed()).isFalse();
      }

      await(() -> written(store, "c"));
      assertThat(exists(store, "c")).isTrue();
    }
  }

  private static boolean written(RevisionedStore store, String key) {
    try {
      return store.write(put(key, "1", Write.ABSENT)) != null;
    } catch (StorageException.Unavailable | StorageException.UnknownOutcome e) {
      return false;
    }
  }

  // ---- damage

  @Test
  void write_thatMeetsDamage_failsAloneInItsBatch() throws Exception {
    long damaged;
    try (SqliteStore store = open()) {
      damaged = applied(store.write(put("damaged", "1", Write.ABSENT)));
    }
    sql("DELETE FROM log WHERE revision = " + damaged);
    try (SqliteStore store = open()) {
      List<Call> good = new ArrayList<>();
      List<Call> bad = new ArrayList<>();
      try (Obstacle obstacle = new Obstacle()) {
        good.add(new Call(store, put("first", "1", Write.ABSENT)));
        awaitBegun();
        for (int i = 0; i < 5; i++) {
          good.add(new Call(store, put("good" + i, "1", Write.ABSENT)));
          bad.add(new Call(store, put("damaged", "2", damaged)));
        }
        good.subList(1, good.size()).forEach(Call::awaitWaiting);
        bad.forEach(Call::awaitWaiting);
        assertThat(obstacle.connection.isClosed()).isFalse();
      }

      for (Call call : good) {
        applied(call.get());
      }
      for (Call call : bad) {
        assertThatThrownBy(call::get).hasCauseInstanceOf(StorageException.Unavailable.class);
      }
      assertThat(store.range(KeyRange.prefix(Bytes.utf8("good")), 0, 10).count()).isEqualTo(5);
    }
  }

  @Test
  void open_ofAFileThatIsNoDatabase_saysSo() throws IOException {
    Files.writeString(file, "this is a letter to my aunt\n".repeat(400));

    assertThatThrownBy(this::open)
        .isInstanceOf(StorageException.Unavailable.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("not a SQLite database");
    assertThat(Files.readString(file)).startsWith("this is a letter");
  }

  @Test
  void open_ofAForeignDatabase_saysSoAndLeavesItAlone() throws Exception {
    sql("CREATE TABLE address (street TEXT)");
    byte[] before = Files.readAllBytes(file);

    assertThatThrownBy(this::open)
        .isInstanceOf(StorageException.Unavailable.class)
        .hasMessageContaining("another program");

    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  @Test
  void open_ofANewerLayout_saysSo() throws Exception {
    open().close();
    sql("PRAGMA user_version = 99");

    assertThatThrownBy(this::open)
        .isInstanceOf(StorageException.Unavailable.class)
        .hasMessageContaining("layout 99")
        .hasMessageContaining("knows 1");
  }

  @Test
  void open_afterARefusal_works() throws Exception {
    sql("CREATE TABLE address (street TEXT)");
    assertThatThrownBy(this::open).isInstanceOf(StorageException.Unavailable.class);
    Files.delete(file);

    try (SqliteStore store = open()) {
      assertThat(store.revision()).isEqualTo(1);
    }
  }

  @Test
  void open_ofADamagedFile_saysSo() throws Exception {
    try (SqliteStore store = open()) {
      applied(store.write(put("a", "1", Write.ABSENT)));
    }
    scribble(StoreFile.PAGE_BYTES, 6 * StoreFile.PAGE_BYTES);

    assertThatThrownBy(this::open)
        .isInstanceOf(StorageException.Unavailable.class)
        .hasMessageContaining("damaged");
  }

  @Test
  void read_thatMeetsADamagedPage_failsAndGivesNoWrongAnswer() throws Exception {
    int count = 2000;
    try (SqliteStore store = open(options.withSynchronous(Synchronous.OFF))) {
      for (int i = 0; i < count; i++) {
        store.write(put("k" + i, "v".repeat(500) + i, Write.ABSENT));
      }
    }
    long length = Files.size(file);
    scribble((int) (length / 2), (int) (length / 4));

    try (SqliteStore store = open()) {
      int failed = 0;
      for (int i = 0; i < count; i++) {
        try {
          Entry entry = store.get(Bytes.utf8("k" + i), RevisionedStore.NEWEST).entry();
          assertThat(entry == null ? null : entry.value())
              .isEqualTo(Bytes.utf8("v".repeat(500) + i));
        } catch (StorageException.Unavailable e) {
          assertThat(e).hasMessageContaining("damaged");
          failed++;
        }
      }
      assertThat(failed).isPositive();
    }
  }

  private void scribble(int from, int length) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.seek(from);
      byte[] noise = "scribble".repeat(length / 8).getBytes(StandardCharsets.US_ASCII);
      bytes.write(noise, 0, (int) Math.min(noise.length, bytes.length() - from));
    }
  }

  // ---- places that cannot be written

  @Test
  void open_inADirectoryThatCannotBeWritten_saysSo() {
    Path place = Path.of("/sys");
    assumeTrue(Files.isDirectory(place), "needs a file system that takes no files");

    assertThatThrownBy(() -> open(SqliteOptions.defaults(place.resolve("keelson/store.db"))))
        .isInstanceOf(StorageException.Unavailable.class)
        .hasMessageContaining("/sys/keelson");
    assertThatThrownBy(() -> open(SqliteOptions.defaults(place.resolve("store.db"))))
        .isInstanceOf(StorageException.Unavailable.class)
        .hasMessageContaining("/sys/store.db");
  }

  @Test
  void open_ofAFileThatCannotBeWritten_saysSo() throws IOException {
    open().close();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
    assumeFalse(Files.isWritable(file), "this user may write everything");

    assertThatThrownBy(this::open)
        .isInstanceOf(StorageException.Unavailable.class)
        .hasMessageContaining("cannot be written");
  }

  @Test
  void open_ofADirectory_saysSo() throws IOException {
    Files.createDirectory(file);

    assertThatThrownBy(this::open)
        .isInstanceOf(StorageException.Unavailable.class)
        .hasMessageContaining(file.toString());
  }

  @Test
  void open_withAQuestionMarkInThePath_isRefused() {
    assertThatThrownBy(() -> open(SqliteOptions.defaults(directory.resolve("a?b.db"))))
        .isInstanceOf(StorageException.Unavailable.class)
        .hasMessageContaining("question mark");
  }

  // ---- space

  @Test
  void write_toAFullFile_failsClearly_andSpaceComesBackWithCompaction() {
    try (SqliteStore store = open(options.withLimits(0, 4 << 20))) {
      long revision = 0;
      StorageException failure = null;
      String value = "x".repeat(20_000);
      for (int i = 0; failure == null && i < 1000; i++) {
        try {
          revision = applied(store.write(put("a", value + i, revision)));
        } catch (StorageException e) {
          failure = e;
        }
      }

      assertThat(failure)
          .isInstanceOf(StorageException.Unavailable.class)
          .hasMessageContaining("full");
      long newest = revision;
      assertThat(store.get(Bytes.utf8("a"), RevisionedStore.NEWEST).entry())
          .extracting(Entry::modRevision)
          .isEqualTo(newest);
      assertThat(store.revision()).isEqualTo(newest);

      store.compact(newest);

      await(() -> written(store, "b"));
      assertThat(applied(store.write(put("a", value, newest)))).isGreaterThan(newest);
    }
  }

  @Test
  void write_thatIsTooLargeForTheRestOfTheFile_doesNotFailSmallOnes() throws Exception {
    try (SqliteStore store = open(options.withLimits(0, 4 << 20))) {
      List<Call> small = new ArrayList<>();
      List<Call> large = new ArrayList<>();
      try (Obstacle obstacle = new Obstacle()) {
        small.add(new Call(store, put("first", "1", Write.ABSENT)));
        awaitBegun();
        for (int i = 0; i < 6; i++) {
          small.add(new Call(store, put("small" + i, "1", Write.ABSENT)));
          large.add(new Call(store, put("large" + i, "x".repeat(1_200_000), Write.ABSENT)));
        }
        small.subList(1, small.size()).forEach(Call::awaitWaiting);
        large.forEach(Call::awaitWaiting);
        assertThat(obstacle.connection.isClosed()).isFalse();
      }

      for (Call call : small) {
        applied(call.get());
      }
      long failed = 0;
      for (Call call : large) {
        try {
          applied(call.get());
        } catch (java.util.concurrent.ExecutionException e) {
          assertThat(e).hasCauseInstanceOf(StorageException.Unavailable.class);
          failed++;
        }
      }
      assertThat(failed).isBetween(1L, 5L);
    }
  }

  @Test
  void options_withATinyFileLimit_areRefused() {
    assertThatThrownBy(() -> options.withLimits(0, 100))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxFileBytes");
  }
}
