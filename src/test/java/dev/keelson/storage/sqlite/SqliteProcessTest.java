package dev.keelson.storage.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.keelson.sqlite.DriverLibrary;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Change;
import dev.keelson.storage.ChangeFeed;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.sqlite.SqliteChild.Job;
import dev.keelson.storage.sqlite.SqliteChild.Line;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a store keeps when its process dies, and what it does when there are two. */
@Timeout(120)
class SqliteProcessTest {

  private static final int ROUNDS = 6;
  private static final KeyRange ALL = KeyRange.prefix(Bytes.utf8("/child/"));

  private final Path file;

  SqliteProcessTest(@TempDir Path directory) {
    file = directory.resolve("store.db");
  }

  private SqliteStore open() {
    return SqliteStore.open(SqliteOptions.defaults(file), InstantSource.system());
  }

  /** Reads what a process says until it ends; kills it at {@code lines}, unless that is 0. */
  private static List<Line> listen(Process process, int lines) throws Exception {
    List<Line> said = new ArrayList<>();
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String text = reader.readLine(); text != null; text = reader.readLine()) {
        Line line = Line.parse(text);
        if (line != null) {
          said.add(line);
        }
        if (lines > 0 && said.size() == lines) {
          // SIGKILL; by the handle, which leaves what the process has said to be read
          process.toHandle().destroyForcibly();
        }
      }
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return said;
  }

  @Test
  void kill_atAnyMoment_losesNoAnsweredWrite() throws Exception {
    Random random = new Random();
    TreeMap<Long, Line.Answered> answered = new TreeMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      long before = answered.isEmpty() ? 1 : answered.lastKey();
      Process child = SqliteChild.start(Job.WRITE, file, round * 1_000_000L);
      for (Line line : listen(child, 20 + random.nextInt(4000))) {
        switch (line) {
          case Line.Opened(long revision) -> assertThat(revision).isGreaterThanOrEqualTo(before);
          case Line.Answered answer -> {
            assertThat(answer.revision()).as("never given before").isGreaterThan(before);
            assertThat(answered.put(answer.revision(), answer)).isNull();
          }
          case Line.Compacted cut -> assertThat(cut.revision()).isPositive();
          case Line.Failed failed -> throw new AssertionError(failed);
        }
      }

      assertThat(librariesOfTheDriver()).as("unpacked by the driver itself, slowly").isEmpty();
      try (SqliteStore store = open()) {
        verify(store, answered);
      }
      assertThat(integrity()).isEqualTo("ok");
    }
    assertThat(answered).hasSizeGreaterThan(ROUNDS * 10);
    listen(SqliteChild.start(Job.OPEN, file, 0), 0);
    assertThat(file.resolveSibling("store.db.lib"))
        .as("copies of the library that killed processes left")
        .isEmptyDirectory();
  }

  /** Copies of the library that the driver made, where it need not. */
  private List<Path> librariesOfTheDriver() throws IOException {
    if (DriverLibrary.resource(System.getProperty("os.name"), System.getProperty("os.arch"))
        == null) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(file.resolveSibling("store.db.lib"))) {
      return files.filter(each -> each.toString().contains("libsqlitejdbc")).toList();
    }
  }

  private String integrity() throws Exception {
    try (var connection = java.sql.DriverManager.getConnection("jdbc:sqlite:" + file);
        var rows = connection.createStatement().executeQuery("PRAGMA integrity_check")) {
      rows.next();
      return rows.getString(1);
    }
  }

  /** Every answered write is there; the history is without gaps and leads to the newest state. */
  private static void verify(SqliteStore store, NavigableMap<Long, Line.Answered> answered)
      throws InterruptedException {
    long newest = store.revision();
    assertThat(newest).isGreaterThanOrEqualTo(answered.lastKey());
    long oldest = oldest(store);
    Map<Bytes, Entry> state = state(store, oldest);
    long reached = oldest;
    try (ChangeFeed feed = store.feed(ALL, oldest)) {
      while (reached < newest) {
        ChangeFeed.Batch batch = feed.next(Duration.ofSeconds(60));
        if (batch == null) {
          throw new AssertionError("the feed ends at " + reached);
        }
        for (Change change : batch.changes()) {
          assertThat(change.revision()).as("no gap in the history").isEqualTo(++reached);
          check(change, answered.get(reached));
          assertThat(change.previous()).isEqualTo(state.get(change.key()));
          switch (change) {
            case Change.Put put -> state.put(put.key(), put.entry());
            case Change.Delete delete -> state.remove(delete.key());
          }
        }
        assertThat(batch.revision()).isEqualTo(reached);
      }
    }
    assertThat(answered.tailMap(oldest, false).keySet()).allMatch(revision -> revision <= newest);
    assertThat(state(store, RevisionedStore.NEWEST)).isEqualTo(state);
    Map<String, Line.Answered> last =
        answered.values().stream()
            .collect(Collectors.toMap(Line.Answered::key, answer -> answer, (one, two) -> two));
    last.values().forEach(answer -> check(store, answer));
  }

  private static void check(Change change, Line.@Nullable Answered answer) {
    if (answer == null) {
      return; // it was durable, and the process was killed before it could say so
    }
    assertThat(change.key()).isEqualTo(Bytes.utf8(answer.key()));
    if (answer.value() == null) {
      assertThat(change).isInstanceOf(Change.Delete.class);
    } else {
      assertThat(((Change.Put) change).entry().value())
          .isEqualTo(Bytes.utf8(SqliteChild.value(answer.value())));
    }
  }

  private static void check(SqliteStore store, Line.Answered answer) {
    Entry entry = store.get(Bytes.utf8(answer.key()), RevisionedStore.NEWEST).entry();
    if (entry == null) {
      assertThat(answer.value() == null || laterThan(store, answer)).as("%s", answer).isTrue();
    } else if (entry.modRevision() == answer.revision()) {
      assertThat(entry.value())
          .isEqualTo(Bytes.utf8(SqliteChild.value(String.valueOf(answer.value()))));
    } else {
      assertThat(entry.modRevision()).isGreaterThan(answer.revision());
    }
  }

  /** Whether the key was deleted after {@code answer}, by a write that nobody heard of. */
  private static boolean laterThan(SqliteStore store, Line.Answered answer) {
    try {
      return store.get(Bytes.utf8(answer.key()), answer.revision()).entry() != null;
    } catch (StorageException.Compacted e) {
      return true;
    }
  }

  private static long oldest(SqliteStore store) {
    try {
      store.get(Bytes.utf8("x"), 1);
      return 1;
    } catch (StorageException.Compacted e) {
      return e.oldestRevision();
    }
  }

  private static Map<Bytes, Entry> state(SqliteStore store, long revision) {
    return store.range(ALL, revision, 1000).entries().stream()
        .collect(Collectors.toMap(Entry::key, entry -> entry));
  }

  @Test
  void secondProcess_isRefusedAndTheFirstWorksOn() throws Exception {
    try (SqliteStore store = open()) {
      List<Line> said = listen(SqliteChild.start(Job.OPEN, file, 0), 0);

      assertThat(said).hasSize(1).first().isInstanceOf(Line.Failed.class);
      assertThat(((Line.Failed) said.getFirst()).message())
          .contains("another process has opened the store");
      assertThat(store.revision()).isPositive();
    }
    assertThat(listen(SqliteChild.start(Job.OPEN, file, 0), 0))
        .hasSize(1)
        .first()
        .isInstanceOf(Line.Opened.class);
  }

  @Test
  void secondStoreOfOneProcess_isRefusedAndLeavesTheLockInPlace() throws Exception {
    Path link = file.resolveSibling("link");
    Files.createSymbolicLink(link, file.getParent());
    try (SqliteStore store = open()) {
      assertThatThrownBy(this::open)
          .isInstanceOf(StorageException.Unavailable.class)
          .hasMessageContaining("already");
      assertThatThrownBy(
              () ->
                  SqliteStore.open(
                      SqliteOptions.defaults(link.resolve("store.db")), InstantSource.system()))
          .isInstanceOf(StorageException.Unavailable.class)
          .hasMessageContaining("already");

      assertThat(listen(SqliteChild.start(Job.OPEN, file, 0), 0))
          .hasSize(1)
          .first()
          .isInstanceOf(Line.Failed.class);
      assertThat(store.revision()).isPositive();
    }
  }

  @Test
  void process_underAFileSizeLimit_failsClearlyAndLosesNothing() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "needs bash for its ulimit");

    List<Line> said =
        listen(
            SqliteChild.start(
                Job.FILL, file, 0, "/bin/bash", "-c", "ulimit -f 2048; exec \"$@\"", "bash"),
            0);

    assertThat(said).filteredOn(line -> line instanceof Line.Failed).hasSizeGreaterThan(3);
    TreeMap<Long, Line.Answered> answered = new TreeMap<>();
    for (Line line : said) {
      if (line instanceof Line.Answered answer) {
        answered.put(answer.revision(), answer);
      }
    }
    assertThat(answered).hasSizeGreaterThan(20);
    try (SqliteStore store = open()) {
      verify(store, answered);
    }
  }

  @Test
  void files_areForTheirOwnerOnly() throws IOException {
    assumeTrue(file.getFileSystem().supportedFileAttributeViews().contains("posix"), "not POSIX");
    try (SqliteStore store = open()) {
      assertThat(store.revision()).isPositive();
      for (String name : List.of("store.db", "store.db-wal", "store.db-shm")) {
        assertThat(Files.getPosixFilePermissions(file.resolveSibling(name)))
            .as(name)
            .allMatch(permission -> permission.name().startsWith("OWNER"));
      }
    }
  }
}
