package dev.keelson.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.ChangeFeed;
import dev.keelson.storage.Entry;
import dev.keelson.storage.ForwardingStore;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.storage.sqlite.SqliteOptions;
import dev.keelson.storage.sqlite.SqliteStore;
import dev.keelson.storage.sqlite.Synchronous;
import dev.keelson.testing.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Watchers that resume at a server whose caches are younger than their revisions. */
class HistoryLoaderTest {

  private static final Bytes ROOT = Bytes.utf8("/registry/");
  private static final Bytes PODS = Bytes.utf8("/registry/pods/");
  private static final KeyRange ALL_PODS = KeyRange.prefix(PODS);

  @TempDir Path directory;
  private final AtomicInteger feeds = new AtomicInteger();
  private RevisionedStore store;
  private WatchCache cache;

  @BeforeEach
  void open() {
    store =
        new ForwardingStore(
            SqliteStore.open(
                SqliteOptions.defaults(directory.resolve("s.db")).withSynchronous(Synchronous.OFF),
                InstantSource.system())) {
          @Override
          public ChangeFeed feed(KeyRange range, long afterRevision) {
            feeds.incrementAndGet();
            return super.feed(range, afterRevision);
          }
        };
    cache = cache(102_400);
  }

  @AfterEach
  void close() {
    cache.close();
    store.close();
  }

  private WatchCache cache(int mostEvents) {
    return new WatchCache(
        store,
        ROOT,
        InstantSource.system(),
        new Retention(Duration.ofMinutes(5), mostEvents, 1 << 24));
  }

  private long write(String key, String value) {
    Bytes name = Bytes.utf8(ROOT + key);
    Entry now = store.get(name, RevisionedStore.NEWEST).entry();
    long expected = now == null ? Write.ABSENT : now.modRevision();
    WriteOutcome outcome =
        store.write(
            value.isEmpty()
                ? Write.delete(name, expected)
                : Write.put(name, Bytes.utf8(value), expected));
    return ((WriteOutcome.Applied) outcome).revision();
  }

  /** Changes of pods and of others; the revisions of the pods' changes. */
  private List<Long> changes() {
    List<Long> revisions = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      revisions.add(write("pods/p" + i % 7, "value " + i));
      long unused = write("leases/l", "renewed " + i);
      if (i % 10 == 9) {
        revisions.add(write("pods/p" + i % 7, ""));
      }
    }
    return revisions;
  }

  private EventStream resume(Cacher pods, long revision) {
    return StoreEvents.open(store, ALL_PODS, null, revision, pods, () -> {});
  }

  private static List<Long> revisions(EventStream stream, int count) {
    List<Long> revisions = new ArrayList<>();
    Eventually.assertEventually(
        () -> {
          stream.poll(1000).events().forEach(event -> revisions.add(event.revision()));
          assertThat(revisions).hasSizeGreaterThanOrEqualTo(count);
        });
    return revisions;
  }

  @Test
  void watchersThatResumeBeforeTheCache_shareTwoReadsOfTheStore() {
    long first = write("pods/p0", "first");
    List<Long> changes = changes();
    Cacher pods = cache.type(PODS);
    Snapshot unused = pods.any();
    feeds.set(0);

    List<EventStream> streams = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      streams.add(resume(pods, i % 2 == 0 ? first : changes.get(i % 20)));
    }

    for (int i = 0; i < streams.size(); i++) {
      List<Long> expected = i % 2 == 0 ? changes : changes.subList(i % 20 + 1, changes.size());
      assertThat(revisions(streams.get(i), expected.size())).isEqualTo(expected);
    }
    assertThat(feeds.get()).as("all wait for the first one, and share the second").isBetween(1, 2);
    assertThat(pods.watchers()).isEqualTo(streams.size());
    streams.forEach(EventStream::close);
  }

  @Test
  void statesInTheExtendedHistory_areThoseOfTheStore() throws Exception {
    long first = write("pods/p0", "first");
    List<Long> changes = changes();
    Cacher pods = cache.type(PODS);
    Snapshot unused = pods.any();

    pods.extendHistory(first);

    assertThat(pods.oldest()).isEqualTo(first);
    for (long revision : changes) {
      List<Entry> cached = new ArrayList<>();
      pods.exactly(revision).orElseThrow().iterator(ALL_PODS).forEachRemaining(cached::add);
      assertThat(cached)
          .as("at %d", revision)
          .isEqualTo(store.range(ALL_PODS, revision, 1000).entries());
    }
  }

  @Test
  void watchersOfTheCache_goOn_whenItsHistoryIsExtended() throws Exception {
    long first = write("pods/p0", "first");
    List<Long> changes = changes();
    Cacher pods = cache.type(PODS);
    long loaded = pods.any().revision();
    EventStream behind = pods.watch(ALL_PODS, null, loaded, () -> {}).orElseThrow();
    List<Long> later = new ArrayList<>();
    for (int i = 0; i < CacheWatcher.QUEUE_LIMIT + 50; i++) {
      later.add(write("pods/p9", "later " + i));
    }
    assertThat(pods.fresh()).isPresent();

    pods.extendHistory(first);

    assertThat(pods.oldest()).isEqualTo(first);
    assertThat(revisions(behind, later.size())).isEqualTo(later);
    assertThat(changes).isNotEmpty();
    behind.close();
  }

  @Test
  void history_thatTheStoreHasDropped_isNotExtended_andTheWatchExpires() throws Exception {
    long first = write("pods/p0", "first");
    List<Long> changes = changes();
    store.compact(changes.get(10));
    Cacher pods = cache.type(PODS);
    long loaded = pods.any().revision();

    EventStream stream = resume(pods, first);

    Eventually.assertEventually(
        () -> assertThat(stream.poll(10).end()).isEqualTo(EventStream.End.EXPIRED));
    assertThat(pods.oldest()).isEqualTo(loaded);
    stream.close();
  }

  @Test
  void oneWatcherFromBeforeTheCompaction_doesNotKeepOthersFromTheHistory() {
    long first = write("pods/p0", "first");
    List<Long> changes = changes();
    long kept = changes.get(10);
    store.compact(kept);
    Cacher pods = cache.type(PODS);
    Snapshot unused = pods.any();

    EventStream old = resume(pods, first);
    EventStream resumed = resume(pods, kept);

    List<Long> expected = changes.subList(11, changes.size());
    assertThat(revisions(resumed, expected.size())).isEqualTo(expected);
    Eventually.assertEventually(
        () -> assertThat(old.poll(10).end()).isEqualTo(EventStream.End.EXPIRED));
    old.close();
    resumed.close();
  }

  @Test
  void history_thatIsLargerThanItsBound_isReadFromTheStore() {
    long first = write("pods/p0", "first");
    List<Long> changes = changes();
    cache.close();
    cache = cache(10);
    Cacher pods = cache.type(PODS);
    long loaded = pods.any().revision();

    EventStream stream = resume(pods, first);

    assertThat(revisions(stream, changes.size())).isEqualTo(changes);
    assertThat(pods.oldest()).isEqualTo(loaded);
    stream.close();
  }
}
