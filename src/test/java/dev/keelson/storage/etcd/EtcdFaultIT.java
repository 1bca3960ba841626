package dev.keelson.storage.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import dev.keelson.testing.EtcdExtension;
import dev.keelson.testing.EtcdProcess;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.FaultProxy;
import dev.keelson.testing.FaultProxy.Way;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the network and etcd's end do to calls and feeds. {@code direct} sees etcd without faults.
 */
@Timeout(120)
@ExtendWith(EtcdExtension.class)
class EtcdFaultIT {

  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Duration DEADLINE = Duration.ofSeconds(5);

  private final String prefix =
      "/fault/" + Long.toHexString(ThreadLocalRandom.current().nextLong()) + "/";
  private final EtcdProcess etcd;
  private final FaultProxy proxy;
  private final EtcdStore direct;
  private final EtcdStore store;
  private final List<ChangeFeed> feeds = new ArrayList<>();

  EtcdFaultIT(EtcdProcess etcd) {
    this.etcd = etcd;
    proxy = FaultProxy.to(etcd.clientPort());
    direct = EtcdStore.open(EtcdOptions.defaults(List.of(etcd.endpoint())));
    store = EtcdStore.open(proxied());
  }

  private EtcdOptions proxied() {
    return EtcdOptions.defaults(List.of(proxy.endpoint("http"))).withDeadline(DEADLINE);
  }

  @AfterEach
  void close() {
    feeds.forEach(ChangeFeed::close);
    store.close();
    direct.close();
    proxy.close();
  }

  private Bytes key(String name) {
    return Bytes.utf8(prefix + name);
  }

  private ChangeFeed feed(EtcdStore from, long after) {
    ChangeFeed feed = from.feed(KeyRange.prefix(Bytes.utf8(prefix)), after);
    feeds.add(feed);
    return feed;
  }

  private static long applied(WriteOutcome outcome) {
    assertThat(outcome).isInstanceOf(WriteOutcome.Applied.class);
    return ((WriteOutcome.Applied) outcome).revision();
  }

  private long create(EtcdStore through, String name) {
    return applied(through.write(Write.put(key(name), Bytes.utf8("v"), Write.ABSENT)));
  }

  private List<Long> createMany(String name, int count) {
    List<Long> revisions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      revisions.add(create(direct, name + i));
    }
    return revisions;
  }

  private @Nullable Entry entry(String name) {
    return direct.get(key(name), RevisionedStore.NEWEST).entry();
  }

  /** The revisions of the next {@code count} changes; each must be new and rise. */
  private static List<Long> take(ChangeFeed feed, int count) throws InterruptedException {
    List<Long> revisions = new ArrayList<>();
    long end = System.nanoTime() + LONG.toNanos();
    while (revisions.size() < count) {
      assertThat(System.nanoTime()).as("time; got %s", revisions.size()).isLessThan(end);
      ChangeFeed.Batch batch = feed.next(Duration.ofSeconds(1));
      if (batch != null) {
        batch.changes().stream().map(Change::revision).forEach(revisions::add);
      }
    }
    return revisions;
  }

  private <T> Future<T> inBackground(ExecutorService executor, Callable<T> task) {
    return executor.submit(task);
  }

  /** Asks {@code call} until it is answered; for servers that come back. */
  private static <T> T eventually(Callable<T> call) throws Exception {
    long end = System.nanoTime() + LONG.toNanos();
    while (true) {
      try {
        return call.call();
      } catch (StorageException.Unavailable e) {
        if (System.nanoTime() - end >= 0) {
          throw e;
        }
      }
    }
  }

  // ---- feeds

  enum Fault {
    CUT,
    HALF_CLOSE_TO_CLIENT,
    HALF_CLOSE_TO_SERVER,
    DELAY_AND_CUT
  }

  @ParameterizedTest
  @EnumSource
  void feed_underFaults_losesAndRepeatsNothing(Fault fault) throws Exception {
    Consumer<Random> strike =
        switch (fault) {
          case CUT -> random -> proxy.cut();
          case HALF_CLOSE_TO_CLIENT -> random -> proxy.halfClose(Way.TO_CLIENT);
          case HALF_CLOSE_TO_SERVER -> random -> proxy.halfClose(Way.TO_SERVER);
          case DELAY_AND_CUT ->
              random -> {
                proxy.delay(Duration.ofMillis(random.nextInt(30)));
                if (random.nextInt(3) == 0) {
                  proxy.cut();
                }
              };
        };
    ChangeFeed feed = feed(store, direct.revision());
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<List<Long>> written = inBackground(executor, () -> createMany("k", 1500));
      Random random = new Random(7);
      List<Long> told = new ArrayList<>();
      while (!written.isDone()) {
        told.addAll(take(feed, 20));
        strike.accept(random);
        if (told.size() >= 1400) {
          break;
        }
      }
      told.addAll(take(feed, 1500 - told.size()));

      assertThat(told).isEqualTo(written.get());
    }
  }

  @Test
  void feed_cutWhileItCatchesUp_losesAndRepeatsNothing() throws Exception {
    long start = direct.revision();
    List<Long> written = createMany("k", 3000);

    ChangeFeed feed = feed(store, start);
    List<Long> told = new ArrayList<>();
    for (int i = 0; told.size() < 3000; i++) {
      told.addAll(take(feed, 1));
      if (i < 10) {
        proxy.cut();
      }
    }

    assertThat(told).isEqualTo(written);
  }

  @Test
  void feed_onAStalledConnection_goesOnAnew() throws Exception {
    ChangeFeed feed = feed(store, direct.revision());
    long first = create(direct, "a");
    assertThat(take(feed, 1)).containsExactly(first);

    proxy.stall();
    List<Long> written = createMany("k", 3);

    assertThat(take(feed, 3)).isEqualTo(written);
  }

  @Test
  void feed_overARestartOfEtcd_goesOn() throws Exception {
    ChangeFeed feed = feed(store, direct.revision());
    List<Long> written = createMany("before", 50);
    List<Long> told = new ArrayList<>(take(feed, 25));

    etcd.stop();
    etcd.start();
    written.add(eventually(() -> create(direct, "after")));

    told.addAll(take(feed, 51 - told.size()));
    assertThat(told).isEqualTo(written);
  }

  @Test
  void feed_openedWhileEtcdIsDown_begins() throws Exception {
    long start = create(direct, "a");
    etcd.kill();
    ChangeFeed feed = feed(store, start);
    assertThat(feed.next(Duration.ofMillis(50))).isNull();

    etcd.start();
    long revision = eventually(() -> create(direct, "b"));

    assertThat(take(feed, 1)).containsExactly(revision);
  }

  @Test
  void feed_cutOffWhileItsHistoryIsCompacted_saysCompacted() throws Exception {
    ChangeFeed feed = feed(store, direct.revision());
    create(direct, "a");
    take(feed, 1);

    proxy.refuse();
    createMany("k", 3);
    long newest = direct.revision();
    direct.compact(newest);
    proxy.admit();

    assertThatThrownBy(() -> take(feed, 1))
        .isInstanceOfSatisfying(
            StorageException.Compacted.class,
            compacted -> assertThat(compacted.oldestRevision()).isEqualTo(newest));
  }

  @Test
  void feed_cutOffAndCompactedAtItsPosition_missesNoDeletion() throws Exception {
    ChangeFeed feed = feed(store, direct.revision());
    long revision = create(direct, "a");
    take(feed, 1);

    proxy.refuse();
    long gone = applied(direct.write(Write.delete(key("a"), revision)));
    direct.compact(gone);
    proxy.admit();

    // the deletion's own revision is compacted: either the feed tells it, or it says so
    assertThatThrownBy(() -> take(feed, 1)).isInstanceOf(StorageException.Compacted.class);
  }

  @Test
  void feed_withASlowReader_holdsABoundedPartAndLosesNothing() throws Exception {
    try (EtcdStore bounded = EtcdStore.open(proxied().withFeedLimits(100, 1 << 20))) {
      EtcdFeed feed = (EtcdFeed) feed(bounded, direct.revision());
      List<Long> written = createMany("k", 1000);

      List<Long> told = new ArrayList<>();
      while (told.size() < written.size()) {
        assertThat(feed.waitingChanges()).isLessThan(100 + 1000);
        told.addAll(take(feed, 1));
      }

      assertThat(told).isEqualTo(written);
    }
  }

  @Test
  void feed_thatIsClosed_leavesNoStreamInEtcd() throws Exception {
    String streams = "etcd_debugging_mvcc_watch_stream_total";
    double before = etcd.metric(streams);
    for (int i = 0; i < 20; i++) {
      try (ChangeFeed feed = feed(direct, direct.revision())) {
        create(direct, "k" + i);
        take(feed, 1);
      }
    }

    long end = System.nanoTime() + LONG.toNanos();
    while (etcd.metric(streams) > before) {
      assertThat(System.nanoTime()).as("time for the streams to end").isLessThan(end);
    }
  }

  // ---- progress

  @Test
  void feed_thatIsQuiet_tellsProgressWhereTheVersionIsBelieved() throws Exception {
    try (EtcdStore believing =
        EtcdStore.open(EtcdOptions.defaults(List.of(etcd.endpoint())), version -> true)) {
      ChangeFeed feed = feed(believing, direct.revision());
      long elsewhere = applied(direct.write(Write.put(other(), Bytes.utf8("v"), Write.ABSENT)));

      ChangeFeed.Batch batch = feed.next(LONG);

      assertThat(batch).isEqualTo(new ChangeFeed.Batch(List.of(), elsewhere));
      long revision = create(direct, "a");
      assertThat(take(feed, 1)).containsExactly(revision);
    }
  }

  @Test
  void feed_thatIsQuiet_tellsProgressByTheChangesOfOtherKeysWhereTheVersionIsNotBelieved()
      throws Exception {
    try (EtcdStore doubting =
        EtcdStore.open(EtcdOptions.defaults(List.of(etcd.endpoint())), version -> false)) {
      ChangeFeed feed = feed(doubting, direct.revision());
      for (int i = 0; i < 3; i++) {
        long elsewhere = applied(direct.write(Write.put(other(), Bytes.utf8("v"), Write.ABSENT)));

        assertThat(feed.next(LONG)).isEqualTo(new ChangeFeed.Batch(List.of(), elsewhere));
      }

      long revision = create(direct, "a");
      assertThat(take(feed, 1)).containsExactly(revision);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void requestProgress_tellsItAtOnce(boolean believed) throws Exception {
    EtcdOptions defaults = EtcdOptions.defaults(List.of(etcd.endpoint()));
    EtcdOptions patient =
        new EtcdOptions(
            defaults.endpoints(),
            defaults.tls(),
            defaults.deadline(),
            defaults.maxRequestBytes(),
            defaults.pageEntries(),
            defaults.feedChanges(),
            defaults.feedBytes(),
            defaults.keepAlive(),
            /* progressInterval= */ Duration.ofDays(1),
            defaults.revisionKey());
    try (EtcdStore store = EtcdStore.open(patient, version -> believed)) {
      ChangeFeed feed = feed(store, direct.revision());
      // the first request is the feed's own, and reads the version
      assertThat(feed.next(Duration.ofMillis(500))).isNull();
      long elsewhere = applied(direct.write(Write.put(other(), Bytes.utf8("v"), Write.ABSENT)));
      CompletableFuture<ChangeFeed.Batch> next = new CompletableFuture<>();
      Thread reader =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      next.complete(feed.next(LONG));
                    } catch (InterruptedException | RuntimeException e) {
                      next.completeExceptionally(e);
                    }
                  });

      Eventually.assertEventually(
          () -> {
            feed.requestProgress();
            assertThat(next).isDone();
          });

      assertThat(next).isCompletedWithValue(new ChangeFeed.Batch(List.of(), elsewhere));
      reader.join();
    }
  }

  /** A new key outside of the range that the feeds see. */
  private static Bytes other() {
    return Bytes.utf8("/other/" + Long.toHexString(ThreadLocalRandom.current().nextLong()));
  }

  // ---- sizes

  @Test
  void range_largerThanAnAnswerMayBe_comesInSmallerPages() {
    int count = 50;
    Bytes value = Bytes.wrap(new byte[1_400_000]);
    for (int i = 0; i < count; i++) {
      applied(direct.write(Write.put(key("k%02d".formatted(i)), value, Write.ABSENT)));
    }

    Page page = store.range(KeyRange.prefix(Bytes.utf8(prefix)), RevisionedStore.NEWEST, 1000);

    assertThat(page.entries()).hasSizeBetween(1, count - 1);
    assertThat(page.more()).isTrue();
    assertThat(page.count()).isEqualTo(count);
  }

  @Test
  void write_thatOnlyEtcdFindsTooLarge_isTooLarge() {
    Bytes value = Bytes.wrap(new byte[1536 * 1024 - key("a").length()]);

    assertThatThrownBy(() -> direct.write(Write.put(key("a"), value, Write.ABSENT)))
        .isInstanceOf(StorageException.TooLarge.class)
        .hasMessageContaining("etcdserver");
    assertThat(entry("a")).isNull();
  }

  // ---- writes

  @Test
  void write_whoseAnswerIsLost_hasAnUnknownOutcome() throws Exception {
    long start = store.revision();
    ChangeFeed feed = feed(direct, start);
    proxy.hold(Way.TO_CLIENT);

    assertThatThrownBy(() -> create(store, "a"))
        .isInstanceOf(StorageException.UnknownOutcome.class);

    assertThat(take(feed, 1).getFirst()).isGreaterThan(start);
    assertThat(entry("a")).isNotNull();
    proxy.release();
    assertThat(store.write(Write.put(key("a"), Bytes.utf8("v"), Write.ABSENT)))
        .as("written once")
        .isInstanceOf(WriteOutcome.Conflict.class);
  }

  @Test
  void write_whoseConnectionBreaks_hasAnUnknownOutcome() throws Exception {
    store.revision();
    ChangeFeed feed = feed(direct, direct.revision());
    proxy.hold(Way.TO_CLIENT);
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Long> write = inBackground(executor, () -> create(store, "a"));
      take(feed, 1);

      proxy.cut();
      proxy.release();

      assertThatThrownBy(write::get).hasCauseInstanceOf(StorageException.UnknownOutcome.class);
    }
  }

  @Test
  void write_heldBackOnItsWay_hasAnUnknownOutcome() {
    store.revision();
    proxy.hold(Way.TO_SERVER);

    assertThatThrownBy(() -> create(store, "a"))
        .isInstanceOf(StorageException.UnknownOutcome.class);
  }

  @Test
  void write_withoutAConnection_isUnavailableAndNotDone() throws Exception {
    proxy.refuse();

    assertThatThrownBy(() -> create(store, "a")).isInstanceOf(StorageException.Unavailable.class);

    proxy.admit();
    eventually(store::revision);
    assertThat(entry("a")).isNull();
  }

  @Test
  void writes_underCuts_areEachDoneOnceOrNotAtAll() throws Exception {
    int doneForSure = 0;
    int unknown = 0;
    Random random = new Random(5);
    for (int i = 0; i < 300; i++) {
      if (random.nextInt(10) == 0) {
        proxy.cut();
      }
      String name = "k" + i;
      try {
        create(store, name);
        doneForSure++;
        assertThat(entry(name)).isNotNull();
      } catch (StorageException.UnknownOutcome e) {
        unknown++;
      } catch (StorageException.Unavailable e) {
        assertThat(entry(name)).as("%s after %s", name, e).isNull();
      }
    }

    long there =
        direct.range(KeyRange.prefix(Bytes.utf8(prefix)), RevisionedStore.NEWEST, 1).count();
    assertThat(there).isBetween((long) doneForSure, (long) doneForSure + unknown);
    assertThat(doneForSure).isGreaterThan(200);
  }

  @Test
  void read_whoseConnectionBreaks_isTriedAgain() throws Exception {
    store.revision();
    create(direct, "a");
    proxy.hold(Way.TO_CLIENT);
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Entry> read =
          inBackground(executor, () -> store.get(key("a"), RevisionedStore.NEWEST).entry());

      proxy.cut();
      proxy.release();

      assertThat(read.get()).isNotNull();
    }
  }

  @Test
  void calls_whileEtcdIsDown_endAtTheirDeadlineAndWorkAgainLater() throws Exception {
    etcd.stop();
    try (EtcdStore opened = EtcdStore.open(proxied())) {
      long begun = System.nanoTime();
      assertThatThrownBy(opened::revision).isInstanceOf(StorageException.Unavailable.class);
      assertThatThrownBy(() -> create(opened, "a"))
          .isInstanceOf(StorageException.Unavailable.class);
      // two of the usual deadlines would be 20 s
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(18));
    } finally {
      etcd.start();
    }

    assertThat(eventually(store::revision)).isPositive();
    assertThat(create(store, "b")).isPositive();
  }

  @Test
  void connection_withoutUseForLong_isMadeAnew() throws Exception {
    long revision = store.revision();
    proxy.refuse();
    // long enough for gRPC to wait longer and longer between its attempts
    long end = System.nanoTime() + Duration.ofSeconds(9).toNanos();
    while (System.nanoTime() - end < 0) {
      assertThatThrownBy(store::revision).isInstanceOf(StorageException.Unavailable.class);
    }

    proxy.admit();

    assertThat(eventually(store::revision)).isGreaterThanOrEqualTo(revision);
  }
}
