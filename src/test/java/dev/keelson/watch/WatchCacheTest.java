package dev.keelson.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
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
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The cache on a real SQLite store. */
@Timeout(120)
class WatchCacheTest {

  private static final Bytes ROOT = Bytes.utf8("/registry/");
  private static final Bytes PODS = Bytes.utf8("/registry/pods/");
  private static final Bytes SPECS = Bytes.utf8("/registry/services/specs/");

  @TempDir Path directory;
  private RevisionedStore store;
  private WatchCache cache;

  @BeforeEach
  void open() {
    store =
        SqliteStore.open(
            SqliteOptions.defaults(directory.resolve("s.db")).withSynchronous(Synchronous.OFF),
            InstantSource.system());
    cache = new WatchCache(store, ROOT, InstantSource.system(), Retention.ofMemory());
  }

  @AfterEach
  void close() {
    cache.close();
    store.close();
  }

  private static Bytes pod(int number) {
    return Bytes.utf8("/registry/pods/default/p%03d".formatted(number));
  }

  private long put(Bytes key, String value) {
    while (true) {
      Entry now = store.get(key, RevisionedStore.NEWEST).entry();
      WriteOutcome outcome =
          store.write(
              Write.put(key, Bytes.utf8(value), now == null ? Write.ABSENT : now.modRevision()));
      if (outcome instanceof WriteOutcome.Applied applied) {
        return applied.revision();
      }
    }
  }

  private long delete(Bytes key) {
    Entry now = store.get(key, RevisionedStore.NEWEST).entry();
    return now == null
            || !(store.write(Write.delete(key, now.modRevision()))
                instanceof WriteOutcome.Applied applied)
        ? 0
        : applied.revision();
  }

  private static Map<Bytes, Entry> contents(Snapshot snapshot, KeyRange range) {
    Map<Bytes, Entry> contents = new TreeMap<>();
    Iterator<Entry> entries = snapshot.iterator(range);
    entries.forEachRemaining(entry -> contents.put(entry.key(), entry));
    return contents;
  }

  private Map<Bytes, Entry> inStore(KeyRange range, long revision) {
    Map<Bytes, Entry> contents = new TreeMap<>();
    store.range(range, revision, 10_000).entries().forEach(e -> contents.put(e.key(), e));
    return contents;
  }

  @Test
  void fresh_afterAnAnsweredWrite_showsIt() throws Exception {
    Cacher pods = cache.type(PODS);
    for (int i = 0; i < 200; i++) {
      long revision = put(pod(i % 7), "v" + i);

      Snapshot snapshot = pods.fresh().orElseThrow();

      assertThat(snapshot.revision()).isGreaterThanOrEqualTo(revision);
      Entry shown = snapshot.get(pod(i % 7));
      assertThat(shown).isNotNull();
      assertThat(Objects.requireNonNull(shown).value().utf8()).isEqualTo("v" + i);
    }
  }

  @Test
  void types_withPrefixesOfOneAndTwoSegments_areKeptApart() throws Exception {
    Cacher pods = cache.type(PODS);
    Cacher services = cache.type(SPECS);
    put(Bytes.utf8("/registry/services/specs/default/a"), "1");
    put(Bytes.utf8("/registry/services/endpoints/default/a"), "2");
    put(pod(1), "3");

    assertThat(services.fresh().orElseThrow().count(KeyRange.prefix(SPECS))).isEqualTo(1);
    put(Bytes.utf8("/registry/services/specs/default/b"), "4");
    assertThat(services.fresh().orElseThrow().count(KeyRange.prefix(SPECS))).isEqualTo(2);
    assertThat(pods.fresh().orElseThrow().count(KeyRange.prefix(PODS))).isEqualTo(1);
  }

  @Test
  void exactly_atEveryRevision_equalsTheStore() throws Exception {
    exactlyEqualsTheStore("");
  }

  /** So large that they are kept in slabs, and that slabs are emptied. */
  @Test
  void exactly_withLargeObjects_equalsTheStore() throws Exception {
    exactlyEqualsTheStore("x".repeat(60_000));
  }

  private void exactlyEqualsTheStore(String padding) throws Exception {
    Cacher pods = cache.type(PODS);
    long first = pods.fresh().orElseThrow().revision();
    Random random = new Random(7);
    for (int i = 0; i < 300; i++) {
      int number = random.nextInt(padding.isEmpty() ? 20 : 80);
      if (random.nextInt(4) == 0) {
        delete(pod(number));
      } else {
        put(pod(number), "v" + i + padding);
      }
      if (random.nextInt(5) == 0) {
        put(Bytes.utf8("/registry/secrets/x"), "other type " + i);
      }
    }
    long last = pods.fresh().orElseThrow().revision();

    KeyRange range = KeyRange.prefix(PODS);
    for (long revision = first; revision <= last; revision++) {
      Snapshot snapshot = pods.exactly(revision).orElseThrow();
      assertThat(snapshot.revision()).isEqualTo(revision);
      assertThat(contents(snapshot, range)).isEqualTo(inStore(range, revision));
    }
    assertThat(pods.exactly(last + 1)).isEmpty();
  }

  /** The first word of a value. */
  private static final Index WORD =
      new Index("word", value -> value.utf8().substring(0, value.utf8().indexOf(' ')));

  @Test
  void index_throughRandomChanges_findsWhatAScanFinds() throws Exception {
    Cacher pods = cache.type(PODS);
    Random random = new Random(11);
    for (int i = 0; i < 300; i++) {
      put(pod(i), "w" + i % 5 + " " + i);
    }
    assertThat(
            pods.fresh().orElseThrow().iterator(new IndexValue(WORD, "w1"), KeyRange.prefix(PODS)))
        .isEmpty();
    pods.countLookup(WORD);
    pods.countLookup(WORD);
    for (int i = 0; i < 400; i++) {
      int number = random.nextInt(320);
      if (random.nextInt(3) == 0) {
        delete(pod(number));
      } else {
        put(pod(number), "w" + random.nextInt(5) + " " + i);
      }
      if (i % 20 == 0) {
        Snapshot snapshot = pods.fresh().orElseThrow();
        KeyRange range = new KeyRange(pod(random.nextInt(100)), pod(random.nextInt(100) + 100));
        for (int word = 0; word < 5; word++) {
          List<Entry> scanned = new ArrayList<>();
          String value = "w" + word;
          snapshot
              .iterator(range)
              .forEachRemaining(
                  entry -> {
                    if (value.equals(WORD.valueOf(entry))) {
                      scanned.add(entry);
                    }
                  });
          List<Entry> found = new ArrayList<>();
          snapshot
              .iterator(new IndexValue(WORD, value), range)
              .orElseThrow()
              .forEachRemaining(found::add);
          assertThat(found).isEqualTo(scanned);
        }
      }
    }
  }

  @Test
  void countLookup_ofMoreIndexesThanAreKept_dropsTheOneNotUsedForLongest() throws Exception {
    Cacher pods = cache.type(PODS);
    for (int i = 0; i < 300; i++) {
      put(pod(i), "w" + i % 5 + " " + i);
    }
    assertThat(pods.fresh()).isPresent();
    List<Index> indexes = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      Index index = new Index("index " + i, value -> value.utf8().substring(0, 2));
      indexes.add(index);
      pods.countLookup(index);
      pods.countLookup(index);
      pods.countLookup(indexes.getFirst());
    }
    Snapshot snapshot = pods.fresh().orElseThrow();
    List<Boolean> kept = new ArrayList<>();
    for (Index index : indexes) {
      kept.add(snapshot.iterator(new IndexValue(index, "w1"), KeyRange.prefix(PODS)).isPresent());
    }
    assertThat(kept).containsExactly(true, false, true, true, true, true, true, true, true);
  }

  @Test
  void watch_ofAValue_isWokenByChangesFromItAndToIt_andByNoOthers() throws Exception {
    Cacher pods = cache.type(PODS);
    put(pod(1), "mine 1");
    put(pod(2), "other 1");
    Snapshot begin = pods.fresh().orElseThrow();
    Semaphore woken = new Semaphore(0);
    EventStream stream =
        pods.watch(
                KeyRange.prefix(PODS),
                new IndexValue(WORD, "mine"),
                begin.revision(),
                woken::release)
            .orElseThrow();

    put(pod(2), "other 2");
    delete(pod(2));
    put(pod(3), "other 3");
    long now = pods.fresh().orElseThrow().revision();
    assertThat(woken.availablePermits()).isZero();
    EventStream.Batch idle = stream.poll(10);
    assertThat(idle.events()).isEmpty();
    assertThat(idle.revision()).isEqualTo(now);

    put(pod(3), "mine 3");
    woken.acquire();
    put(pod(1), "other 1");
    delete(pod(3));
    assertThat(pods.fresh()).isPresent();
    List<String> seen = new ArrayList<>();
    for (CacheEvent event : stream.poll(10).events()) {
      seen.add(WORD.valueOf(event.before()) + " to " + WORD.valueOf(event.after()));
    }
    assertThat(seen).containsExactly("other to mine", "mine to other", "mine to null");
    assertThat(pods.watchers()).isEqualTo(1);
    stream.close();
    assertThat(pods.watchers()).isZero();
  }

  @Test
  void compact_forgetsTheHistoryBefore() throws Exception {
    Cacher pods = cache.type(PODS);
    long first = pods.fresh().orElseThrow().revision();
    long middle = 0;
    for (int i = 0; i < 20; i++) {
      middle = i == 10 ? put(pod(1), "v" + i) : Math.max(middle, 0);
      put(pod(2), "v" + i);
    }
    assertThat(pods.fresh()).isPresent();

    cache.compact(store, middle);

    assertThat(pods.exactly(first)).isEmpty();
    assertThat(pods.watch(KeyRange.prefix(PODS), null, first, () -> {})).isEmpty();
    assertThat(contents(pods.exactly(middle).orElseThrow(), KeyRange.prefix(PODS)))
        .isEqualTo(inStore(KeyRange.prefix(PODS), middle));
  }

  @Test
  void history_ofManyBytes_isBounded_andTheStoreKnowsTheRest() throws Exception {
    long most = 100_000;
    cache.close();
    cache =
        new WatchCache(
            store, ROOT, InstantSource.system(), new Retention(Duration.ofMinutes(5), 1000, most));
    Cacher pods = cache.type(PODS);
    String large = "x".repeat((int) most / 10);
    long first = pods.fresh().orElseThrow().revision();
    long last = 0;
    for (int i = 0; i < 40; i++) {
      last = put(pod(1), large + i);
    }
    assertThat(pods.fresh()).isPresent();

    KeyRange all = KeyRange.prefix(PODS);
    assertThat(pods.watch(all, null, first, () -> {})).isEmpty();
    assertThat(pods.exactly(last - 20)).isEmpty();
    assertThat(contents(pods.exactly(last - 2).orElseThrow(), all))
        .isEqualTo(inStore(all, last - 2));
    Semaphore wake = new Semaphore(0);
    EventStream stream = StoreEvents.open(store, all, null, first, pods, wake::release);
    assertThat(new Replay(stream, wake, new HashMap<>(), last).call())
        .isEqualTo(inStore(all, last));
    stream.close();
  }

  @Test
  void history_keepsAChangeThatIsLargerThanItsBound() throws Exception {
    cache.close();
    cache =
        new WatchCache(
            store, ROOT, InstantSource.system(), new Retention(Duration.ofMinutes(5), 1000, 10));
    Cacher pods = cache.type(PODS);
    long before = pods.fresh().orElseThrow().revision();
    EventStream stream = pods.watch(KeyRange.prefix(PODS), null, before, () -> {}).orElseThrow();

    put(pod(1), "one");
    long second = put(pod(1), "two");

    assertThat(pods.fresh()).isPresent();
    assertThat(stream.poll(10).events()).hasSize(2);
    assertThat(pods.watch(KeyRange.prefix(PODS), null, second - 1, () -> {})).isPresent();
    stream.close();
  }

  /** Follows a watch and applies its events, checking that each fits the state before it. */
  private static final class Replay implements Callable<Map<Bytes, Entry>> {
    private final EventStream stream;
    private final Semaphore wake;
    private final Map<Bytes, Entry> state;
    private final long until;

    Replay(EventStream stream, Semaphore wake, Map<Bytes, Entry> state, long until) {
      this.stream = stream;
      this.wake = wake;
      this.state = new TreeMap<>(state);
      this.until = until;
    }

    @Override
    public Map<Bytes, Entry> call() throws Exception {
      long reached = 0;
      while (true) {
        EventStream.Batch batch = stream.poll(10);
        assertThat(batch.end()).isNull();
        for (CacheEvent event : batch.events()) {
          assertThat(event.revision()).isGreaterThan(reached);
          reached = event.revision();
          assertThat(event.before()).isEqualTo(state.get(event.key()));
          if (event.after() == null) {
            state.remove(event.key());
          } else {
            state.put(event.key(), event.after());
          }
        }
        if (batch.events().isEmpty()) {
          if (batch.revision() >= until) {
            return state;
          }
          wake.tryAcquire(100, java.util.concurrent.TimeUnit.MILLISECONDS);
        }
      }
    }
  }

  @Test
  void watches_begunAnywhereUnderConcurrentWrites_replayToTheStoresState() throws Exception {
    Cacher pods = cache.type(PODS);
    KeyRange range = KeyRange.prefix(PODS);
    List<EventStream> streams = new ArrayList<>();
    List<Semaphore> wakes = new ArrayList<>();
    List<Map<Bytes, Entry>> begins = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> writers = new ArrayList<>();
      for (int w = 0; w < 4; w++) {
        int seed = w;
        writers.add(
            threads.submit(
                () -> {
                  Random random = new Random(seed);
                  for (int i = 0; i < 400; i++) {
                    int number = random.nextInt(30);
                    if (random.nextInt(4) == 0) {
                      delete(pod(number));
                    } else {
                      put(pod(number), seed + ":" + i);
                    }
                  }
                }));
      }
      for (int i = 0; i < 40; i++) {
        Snapshot snapshot = i % 2 == 0 ? pods.any() : pods.fresh().orElseThrow();
        Semaphore wake = new Semaphore(0);
        wakes.add(wake);
        begins.add(contents(snapshot, range));
        streams.add(pods.watch(range, null, snapshot.revision(), wake::release).orElseThrow());
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
      long last = store.revision();
      Map<Bytes, Entry> expected = inStore(range, last);
      List<Future<Map<Bytes, Entry>>> replays = new ArrayList<>();
      for (int i = 0; i < streams.size(); i++) {
        replays.add(threads.submit(new Replay(streams.get(i), wakes.get(i), begins.get(i), last)));
      }

      for (Future<Map<Bytes, Entry>> replay : replays) {
        assertThat(replay.get()).isEqualTo(expected);
      }
    }
    streams.forEach(EventStream::close);
    assertThat(pods.watchers()).isZero();
  }

  @Test
  void storeEvents_fromBeforeTheCache_goOverToItWithoutLoss() throws Exception {
    long first = put(pod(1), "a");
    for (int i = 0; i < 50; i++) {
      put(pod(i % 5), "before " + i);
    }
    Cacher pods = cache.type(PODS);
    pods.any();
    assertThat(pods.watch(KeyRange.prefix(PODS), null, first, () -> {})).isEmpty();
    Semaphore wake = new Semaphore(0);

    EventStream stream =
        StoreEvents.open(store, KeyRange.prefix(PODS), null, first, pods, wake::release);
    for (int i = 0; i < 50; i++) {
      put(pod(i % 5), "after " + i);
    }

    long last = store.revision();
    Map<Bytes, Entry> begin = new HashMap<>(inStore(KeyRange.prefix(PODS), first));
    assertThat(new Replay(stream, wake, begin, last).call())
        .isEqualTo(inStore(KeyRange.prefix(PODS), last));
    stream.close();
  }

  @Test
  void close_endsWatchers_thatMayResumeElsewhere() throws Exception {
    Cacher pods = cache.type(PODS);
    long now = pods.fresh().orElseThrow().revision();
    EventStream stream = pods.watch(KeyRange.prefix(PODS), null, now, () -> {}).orElseThrow();

    cache.close();

    assertThat(stream.poll(10).end()).isEqualTo(EventStream.End.CLOSED);
  }

  @Test
  void watch_fromARevisionThatTheCacheHasNotReached_beginsAfterIt() throws Exception {
    Cacher pods = cache.type(PODS);
    long now = pods.fresh().orElseThrow().revision();
    EventStream stream = pods.watch(KeyRange.prefix(PODS), null, now + 2, () -> {}).orElseThrow();

    put(pod(1), "one");
    put(pod(1), "two");
    put(pod(1), "three");

    assertThat(pods.fresh()).isPresent();
    assertThat(stream.poll(10).events()).extracting(CacheEvent::revision).containsExactly(now + 3);
    stream.close();
  }

  /** A cache of a history of {@code most} events. */
  private WatchCache shortHistory(int most) {
    return new WatchCache(
        store, ROOT, InstantSource.system(), new Retention(Duration.ofMinutes(5), most, 1 << 20));
  }

  @Test
  void aReaderThatNeverPolls_isCutOffWhenTheHistoryIsPastIt() throws Exception {
    try (WatchCache shorter = shortHistory(CacheWatcher.QUEUE_LIMIT)) {
      Cacher pods = shorter.type(PODS);
      long begin = pods.any().revision();
      AtomicInteger woken = new AtomicInteger();
      EventStream slow =
          pods.watch(KeyRange.single(pod(1)), null, begin, woken::incrementAndGet).orElseThrow();
      for (int i = 0; i < 2 * CacheWatcher.QUEUE_LIMIT + 2; i++) {
        long unused = put(pod(1), "v" + i);
      }
      assertThat(pods.fresh()).isPresent();

      Eventually.assertEventually(() -> assertThat(slow.lagged()).isTrue());
      EventStream.Batch batch = slow.poll(10);

      assertThat(batch.end()).isEqualTo(EventStream.End.LAGGED);
      assertThat(batch.events()).isEmpty();
      assertThat(woken).hasValue(2);
      slow.close();
    }
  }

  @Test
  void aReaderThatLags_getsEveryEventFromTheHistory() throws Exception {
    Cacher pods = cache.type(PODS);
    long begin = pods.any().revision();
    int events = 5 * CacheWatcher.QUEUE_LIMIT;
    EventStream slow = pods.watch(KeyRange.prefix(PODS), null, begin, () -> {}).orElseThrow();
    List<Long> written = new ArrayList<>();
    for (int i = 0; i < events; i++) {
      written.add(put(pod(i % 9), "v" + i));
      if (i == events / 2) {
        assertThat(pods.fresh()).isPresent();
        assertThat(slow.poll(3).events()).hasSize(3);
      }
    }
    assertThat(pods.fresh()).isPresent();

    List<Long> read = new ArrayList<>(written.subList(0, 3));
    EventStream.Batch batch = slow.poll(100);
    while (!batch.events().isEmpty()) {
      assertThat(batch.events()).hasSizeLessThanOrEqualTo(100);
      batch.events().forEach(event -> read.add(event.revision()));
      assertThat(batch.revision()).isGreaterThanOrEqualTo(read.getLast());
      batch = slow.poll(100);
    }

    assertThat(read).isEqualTo(written);
    assertThat(batch.revision()).isGreaterThanOrEqualTo(written.getLast());
    long last = put(pod(1), "last");
    assertThat(pods.fresh()).isPresent();
    assertThat(slow.poll(100).events()).extracting(CacheEvent::revision).containsExactly(last);
    slow.close();
  }

  @Test
  void aReaderOfFewObjectsThatLags_getsItsEventsAlone() throws Exception {
    Cacher pods = cache.type(PODS);
    long begin = pods.any().revision();
    EventStream slow = pods.watch(KeyRange.single(pod(1)), null, begin, () -> {}).orElseThrow();
    List<Long> own = new ArrayList<>();
    for (int i = 0; i < 3 * CacheWatcher.QUEUE_LIMIT; i++) {
      own.add(put(pod(1), "v" + i));
      long unused = put(pod(2), "v" + i);
    }
    assertThat(pods.fresh()).isPresent();

    assertThat(slow.poll(10_000).events())
        .extracting(CacheEvent::revision)
        .containsExactlyElementsOf(own);
    slow.close();
  }

  @Test
  void aWatchFromLongAgo_getsEveryEvent() throws Exception {
    Cacher pods = cache.type(PODS);
    long begin = pods.any().revision();
    List<Long> written = new ArrayList<>();
    for (int i = 0; i < 3 * CacheWatcher.QUEUE_LIMIT; i++) {
      written.add(put(pod(i % 9), "v" + i));
    }
    assertThat(pods.fresh()).isPresent();

    EventStream late = pods.watch(KeyRange.prefix(PODS), null, begin, () -> {}).orElseThrow();

    assertThat(late.poll(10_000).events())
        .extracting(CacheEvent::revision)
        .containsExactlyElementsOf(written);
    late.close();
  }

  /** Readers race with the feed: nothing is lost, doubled, or waited for in vain. */
  @Test
  void readersThatLagAtTimes_seeEveryEventOnce() throws Exception {
    Cacher pods = cache.type(PODS);
    long begin = pods.any().revision();
    int events = 20 * CacheWatcher.QUEUE_LIMIT;
    Semaphore woken = new Semaphore(0);
    EventStream stream =
        pods.watch(KeyRange.prefix(PODS), null, begin, woken::release).orElseThrow();
    List<Long> read = new ArrayList<>();
    CompletableFuture<Void> reader =
        CompletableFuture.runAsync(
            () -> {
              while (read.size() < events) {
                EventStream.Batch batch = stream.poll(7);
                batch.events().forEach(event -> read.add(event.revision()));
                if (batch.events().size() < 7 && read.size() < events) {
                  woken.acquireUninterruptibly();
                }
              }
            });
    List<Long> written = new ArrayList<>();
    for (int i = 0; i < events; i++) {
      written.add(put(pod(i % 9), "v" + i));
    }

    Void unused = reader.get(60, TimeUnit.SECONDS);
    assertThat(read).isEqualTo(written);
    stream.close();
  }

  @Test
  void atLeast_aRevisionThatDoesNotCome_isEmptyAfterItsPatience() throws Exception {
    Cacher pods = cache.type(PODS);
    long now = pods.fresh().orElseThrow().revision();

    assertThat(pods.atLeast(now + 1000, Duration.ofMillis(50))).isEmpty();
  }
}
