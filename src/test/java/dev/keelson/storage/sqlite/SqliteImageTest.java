package dev.keelson.storage.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.Snapshot;
import dev.keelson.storage.Snapshot.Item;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.testing.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteImageTest {

  private static final KeyRange ALL = KeyRange.prefix(Bytes.utf8("/"));

  private final Path live;
  private final Path copy;
  private final Path kept;

  SqliteImageTest(@TempDir Path directory) {
    live = directory.resolve("live.db");
    copy = directory.resolve("copy.db");
    kept = directory.resolve("kept.db");
  }

  private static SqliteStore open(Path file) {
    return open(file, InstantSource.system());
  }

  private static SqliteStore open(Path file, InstantSource clock) {
    return SqliteStore.open(SqliteOptions.defaults(file), clock);
  }

  private static long put(RevisionedStore store, String key, String value, long expected) {
    return ((WriteOutcome.Applied)
            store.write(Write.put(Bytes.utf8(key), Bytes.utf8(value), expected)))
        .revision();
  }

  private static List<Item> items(Snapshot snapshot) {
    List<Item> all = new ArrayList<>();
    for (List<Item> next = snapshot.next(); !next.isEmpty(); next = snapshot.next()) {
      all.addAll(next);
    }
    return all;
  }

  private long copy(long least) {
    try (Snapshot from = SqliteSnapshot.open(live);
        SqliteImage to = SqliteImage.of(copy)) {
      to.begin(Math.max(least, from.revision()), revision -> {});
      to.write(items(from));
      return to.complete();
    }
  }

  @Test
  void snapshot_ofAStoreInUse_isOneRevision() {
    try (SqliteStore store = open(live)) {
      long first = put(store, "/a", "1", Write.ABSENT);
      try (Snapshot snapshot = SqliteSnapshot.open(live)) {
        put(store, "/a", "2", first);
        put(store, "/b", "1", Write.ABSENT);

        assertThat(snapshot.revision()).isEqualTo(first);
        assertThat(snapshot.count()).isEqualTo(1);
        assertThat(items(snapshot))
            .containsExactly(
                new Item(new Entry(Bytes.utf8("/a"), Bytes.utf8("1"), first, first), Item.NEVER));
      }
    }
  }

  @Test
  void image_keepsRevisionsAndLosesHistory() {
    List<Entry> before;
    long newest;
    try (SqliteStore store = open(live)) {
      long a = put(store, "/a", "1", Write.ABSENT);
      put(store, "/b", "", Write.ABSENT);
      put(store, "/a", "2", a);
      long gone = put(store, "/c", "1", Write.ABSENT);
      store.write(Write.delete(Bytes.utf8("/c"), gone));
      before = store.range(ALL, RevisionedStore.NEWEST, 10).entries();
      newest = store.revision();
    }

    assertThat(copy(0)).isEqualTo(newest);

    try (SqliteStore store = open(copy)) {
      assertThat(store.range(ALL, RevisionedStore.NEWEST, 10).entries()).isEqualTo(before);
      assertThat(store.revision()).isEqualTo(newest);
      assertThatThrownBy(() -> store.get(Bytes.utf8("/a"), newest - 1))
          .isInstanceOf(StorageException.Compacted.class);
      assertThat(put(store, "/d", "1", Write.ABSENT)).isEqualTo(newest + 1);
    }
    assertThat(SqliteCheck.problems(copy)).isEmpty();
  }

  @Test
  void image_doesNotTakeThePlaceOfAStoreInUse() {
    try (SqliteStore store = open(live);
        Snapshot from = SqliteSnapshot.open(live);
        SqliteImage to = SqliteImage.of(live)) {
      assertThatThrownBy(() -> to.begin(from.revision(), revision -> {}))
          .isInstanceOf(StorageException.Unavailable.class)
          .hasMessageContaining("has opened the store");
      assertThat(put(store, "/a", "1", Write.ABSENT)).isPositive();
    }
    assertThat(StoreFile.beside(live, ".partial")).doesNotExist();
  }

  @Test
  void image_thatIsBeingWritten_isNotWrittenByAnother() {
    try (SqliteImage first = SqliteImage.of(copy)) {
      first.begin(1, revision -> {});
      try (SqliteImage second = SqliteImage.of(copy)) {
        assertThatThrownBy(() -> second.begin(1, revision -> {}))
            .isInstanceOf(StorageException.Unavailable.class);
      }

      assertThat(first.complete()).isEqualTo(1);
    }
    try (SqliteImage next = SqliteImage.of(copy)) {
      next.begin(5, revision -> {});

      assertThat(next.complete()).isEqualTo(5);
    }
  }

  @Test
  void snapshot_ofWhatIsNoRegularFile_isRefused() throws IOException {
    Files.createDirectory(live);

    assertThatThrownBy(() -> SqliteSnapshot.open(live))
        .isInstanceOf(StorageException.Unavailable.class)
        .hasMessage(live + " is no regular file");
    assertThatThrownBy(() -> SqliteCheck.problems(live))
        .isInstanceOf(StorageException.Unavailable.class);
    assertThatThrownBy(() -> SqliteSnapshot.open(copy)).hasMessage("there is no file " + copy);
  }

  @Test
  void image_beginsAboveTheLeastRevision() {
    try (SqliteStore store = open(live)) {
      put(store, "/a", "1", Write.ABSENT);
    }

    assertThat(copy(1_000_000_000L)).isEqualTo(1_000_000_000L);

    try (SqliteStore store = open(copy)) {
      assertThat(put(store, "/b", "1", Write.ABSENT)).isEqualTo(1_000_000_001L);
      try (var feed = store.feed(ALL, 999_999_999L)) {
        assertThatThrownBy(() -> feed.next(Duration.ofSeconds(10)))
            .isInstanceOf(StorageException.Compacted.class);
      }
    }
  }

  @Test
  void image_ofKeysThatShareARevision_givesThemTheirOwn() {
    Bytes value = Bytes.utf8("v");
    try (SqliteImage to = SqliteImage.of(copy)) {
      to.begin(0, revision -> {});
      to.write(
          List.of(
              new Item(new Entry(Bytes.utf8("/a"), value, 3, 7), Item.NEVER),
              new Item(new Entry(Bytes.utf8("/b"), value, 3, 7), Item.NEVER),
              new Item(new Entry(Bytes.utf8("/c"), value, 5, 9), Item.NEVER)));

      assertThat(to.complete()).isEqualTo(10);
    }

    try (SqliteStore store = open(copy)) {
      assertThat(store.range(ALL, RevisionedStore.NEWEST, 10).entries())
          .extracting(Entry::modRevision)
          .containsExactly(7L, 10L, 9L);
    }
  }

  @Test
  void image_keepsTheEndsOfLeases() {
    ManualClock clock = new ManualClock();
    try (SqliteStore store = open(live, clock)) {
      long lease = store.grantLease(Duration.ofHours(1));
      store.write(new Write.Put(Bytes.utf8("/event"), Bytes.utf8("e"), Write.ABSENT, lease));
    }

    copy(0);

    try (Snapshot snapshot = SqliteSnapshot.open(copy)) {
      assertThat(items(snapshot))
          .extracting(Item::expiresMillis)
          .containsExactly(clock.millis() + Duration.ofHours(1).toMillis());
    }
  }

  @Test
  void image_thatIsNotComplete_leavesTheFileAsItWas() throws IOException {
    Files.writeString(copy, "an older backup");
    try (SqliteImage to = SqliteImage.of(copy)) {
      to.begin(0, revision -> {});
      to.write(List.of(new Item(new Entry(Bytes.utf8("/a"), Bytes.EMPTY, 2, 2), Item.NEVER)));
    }

    assertThat(copy).hasContent("an older backup");
    assertThat(copy.resolveSibling("copy.db.partial")).doesNotExist();
  }

  @Test
  void replacement_keepsTheOldStore() {
    try (SqliteStore store = open(live)) {
      put(store, "/old", "1", Write.ABSENT);
    }
    try (SqliteReplacement to = SqliteReplacement.open(live, kept)) {
      assertThat(to.keys()).isEqualTo(1);
      assertThat(to.revision()).isEqualTo(2);
      to.begin(100, revision -> {});
      to.write(List.of(new Item(new Entry(Bytes.utf8("/new"), Bytes.EMPTY, 2, 2), Item.NEVER)));

      assertThatThrownBy(() -> open(live))
          .isInstanceOf(StorageException.Unavailable.class)
          .hasMessageContaining("opened the store");
      assertThat(to.complete()).isEqualTo(100);
    }

    try (SqliteStore store = open(live)) {
      assertThat(store.range(ALL, RevisionedStore.NEWEST, 10).entries())
          .extracting(entry -> entry.key().utf8())
          .containsExactly("/new");
    }
    try (SqliteStore store = open(kept)) {
      assertThat(store.range(ALL, RevisionedStore.NEWEST, 10).entries())
          .extracting(entry -> entry.key().utf8())
          .containsExactly("/old");
    }
  }

  @Test
  void newerLayout_isRefusedByName() throws SQLException {
    open(live).close();
    execute("PRAGMA user_version = 99");

    assertThatThrownBy(() -> open(live))
        .isInstanceOf(StorageException.Unavailable.class)
        .hasMessageContaining("newer version of Keelson (layout 99, this one knows 1)");
    assertThatThrownBy(() -> SqliteSnapshot.open(live))
        .hasMessageContaining("newer version of Keelson");
  }

  @Test
  void check_findsAMissingValue() throws SQLException {
    try (SqliteStore store = open(live)) {
      put(store, "/a", "1", Write.ABSENT);
    }
    execute("DELETE FROM log");

    assertThat(SqliteCheck.problems(live)).containsExactly("1 keys whose newest value is missing");
    try (Snapshot snapshot = SqliteSnapshot.open(live)) {
      assertThatThrownBy(snapshot::next).hasMessageContaining("the value of /a is missing");
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + live);
        Statement plain = connection.createStatement()) {
      plain.execute(sql);
    }
  }
}
