package dev.keelson.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.storage.sqlite.SqliteOptions;
import dev.keelson.storage.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionedStoreTest {

  private static final KeyRange ROOT = KeyRange.prefix(Bytes.utf8("/r/"));
  private static final KeyRange EVENTS = KeyRange.prefix(Bytes.utf8("/r/events/"));

  private SqliteStore main;
  private SqliteStore other;
  private PartitionedStore store;

  @BeforeEach
  void open(@TempDir Path directory) {
    main = sqlite(directory.resolve("main"));
    other = sqlite(directory.resolve("other"));
    store =
        new PartitionedStore(main, Map.of(EVENTS.start(), other, Bytes.utf8("/r/leases/"), other));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static SqliteStore sqlite(Path file) {
    return SqliteStore.open(SqliteOptions.defaults(file), InstantSource.system());
  }

  private static long put(RevisionedStore to, String key) {
    return ((WriteOutcome.Applied)
            to.write(Write.put(Bytes.utf8(key), Bytes.utf8("v"), Write.ABSENT)))
        .revision();
  }

  private static List<String> keys(RevisionedStore of, KeyRange range) {
    return of.range(range, RevisionedStore.NEWEST, 100).entries().stream()
        .map(entry -> entry.key().utf8())
        .toList();
  }

  @Test
  void write_goesToTheStoreOfItsPrefix() {
    put(store, "/r/events/a");
    put(store, "/r/eventsmore/a");
    put(store, "/r/maps/a");

    assertThat(keys(other, ROOT)).containsExactly("/r/events/a");
    assertThat(keys(main, ROOT)).containsExactly("/r/eventsmore/a", "/r/maps/a");
    assertThat(keys(store, EVENTS)).containsExactly("/r/events/a");
    assertThat(store.get(Bytes.utf8("/r/events/a"), RevisionedStore.NEWEST).entry()).isNotNull();
  }

  @Test
  void revisions_areThoseOfTheStoreOfTheKey() {
    for (int i = 0; i < 5; i++) {
      put(store, "/r/maps/" + i);
    }
    long event = put(store, "/r/events/a");

    assertThat(store.part(EVENTS.start()).revision()).isEqualTo(event);
    assertThat(store.part(Bytes.utf8("/r/maps/")).revision()).isGreaterThan(event);
    assertThat(store.parts()).hasSize(2);
    assertThatThrownBy(store::revision).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void split_hasRangesOfOneStoreEach_inOrder() {
    List<KeyRange> ranges = store.split(ROOT);

    assertThat(ranges.stream().map(range -> range.start().utf8()))
        .containsExactly("/r/", "/r/events/", "/r/events0", "/r/leases/", "/r/leases0");
    assertThat(ranges.getLast().end()).isEqualTo(ROOT.end());
    assertThat(store.split(EVENTS)).containsExactly(EVENTS);
    assertThat(store.split(KeyRange.single(Bytes.utf8("/r/events/a")))).hasSize(1);
    assertThatThrownBy(() -> store.range(ROOT, RevisionedStore.NEWEST, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void keysFromBeforeTheirMove_areNeitherReadNorFollowed() throws InterruptedException {
    long begin = main.revision();
    put(main, "/r/events/former");
    put(main, "/r/maps/a");

    assertThat(keys(store, EVENTS)).isEmpty();
    try (ChangeFeed feed = store.part(ROOT.start()).feed(ROOT, Math.max(1, begin))) {
      List<String> seen = new ArrayList<>();
      long reached = 0;
      while (reached < main.revision()) {
        ChangeFeed.Batch batch = feed.next(Duration.ofSeconds(10));
        if (batch != null) {
          batch.changes().forEach(change -> seen.add(change.key().utf8()));
          reached = batch.revision();
        }
      }
      assertThat(seen).containsExactly("/r/maps/a");
    }
  }

  @Test
  void guardInAnotherStore_isRefused() {
    Write.Guard guard = new Write.Guard(Bytes.utf8("/r/own"), Write.ABSENT);

    assertThatThrownBy(
            () ->
                store.write(
                    new Write.Put(
                        Bytes.utf8("/r/events/a"), Bytes.utf8("v"), Write.ABSENT, 0, guard)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(keys(store, EVENTS)).isEmpty();
  }

  @Test
  void decorated_hasADecoratorAroundEachStore_andAroundItsFeeds() {
    List<RevisionedStore> seen = new ArrayList<>();

    PartitionedStore decorated =
        store.decorated(
            part -> {
              seen.add(part);
              return new ForwardingStore(part) {};
            });

    assertThat(seen).containsExactlyInAnyOrder(main, other);
    assertThat(decorated.parts()).hasSize(2);
    put(decorated, "/r/leases/a");
    assertThat(keys(other, ROOT)).containsExactly("/r/leases/a");
  }
}
